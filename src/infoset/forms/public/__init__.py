"""Games by what all players see: the public form, built from rules, folded, merged."""

from infoset.forms.public.build import public_form
from infoset.forms.public.record import (
    Block,
    Decision,
    Meeting,
    PayoffTable,
    PublicCounts,
    PublicForm,
    PublicLeaf,
)

__all__ = [
    "Block",
    "Decision",
    "Meeting",
    "PayoffTable",
    "PublicCounts",
    "PublicForm",
    "PublicLeaf",
    "public_form",
]
