"""The same game as matrices: normal form and sequence form."""

from infoset.forms.normal import NormalForm, normal_form, normal_size
from infoset.forms.sequence import SequenceForm, SequenceSize, sequence_form, sequence_size

__all__ = [
    "NormalForm",
    "SequenceForm",
    "SequenceSize",
    "normal_form",
    "normal_size",
    "sequence_form",
    "sequence_size",
]
