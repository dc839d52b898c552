"""Games by what everybody sees: the public form, built from rules, folded, merged."""

from infoset.forms.public.build import public_form
from infoset.forms.public.record import Block, Counts, Decision, End, Meeting, PublicForm, Table

__all__ = [
    "Block",
    "Counts",
    "Decision",
    "End",
    "Meeting",
    "PublicForm",
    "Table",
    "public_form",
]
