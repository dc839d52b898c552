"""A game's matrices as tables to read: its normal form and its sequence form."""

from __future__ import annotations

from infoset.errors import TooLarge
from infoset.examine.matrices.elimination import elimination_table
from infoset.examine.matrices.normal import normal_table
from infoset.examine.matrices.sequence import sequence_table
from infoset.examine.tables.record import Sheet, Table
from infoset.forms.normal import NormalForm
from infoset.forms.sequence import SequenceForm

__all__ = ["elimination_table", "form_table", "normal_table", "sequence_table"]


def form_table(form: NormalForm | SequenceForm) -> Table | Sheet:
    """A form as a table, for notebooks; of one that is too large, its size and no table.

    >>> from infoset.forms import sequence_form
    >>> from infoset.games import kuhn
    >>> form_table(sequence_form(kuhn().tree())).title
    'kuhn(): sequence form'
    """
    try:
        return normal_table(form) if isinstance(form, NormalForm) else sequence_table(form)
    except TooLarge as error:
        return Sheet(repr(form).strip("<>"), (), note=str(error))
