"""Games by what everybody sees: the public form, built from rules, folded, merged."""

from infoset.forms.public.build import public_form
from infoset.forms.public.record import (
    Block,
    Decision,
    End,
    Meeting,
    PayoffTable,
    PublicCounts,
    PublicForm,
)

__all__ = [
    "Block",
    "Decision",
    "End",
    "Meeting",
    "PayoffTable",
    "PublicCounts",
    "PublicForm",
    "public_form",
]
