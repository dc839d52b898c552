"""Tables: a record, and a module for each format that shows it."""

from infoset.examine.tables.record import (
    FEW,
    NUMBER,
    PROSE,
    SHARE,
    TEXT,
    Amounts,
    Column,
    Sheet,
    Table,
)

__all__ = ["FEW", "NUMBER", "PROSE", "SHARE", "TEXT", "Amounts", "Column", "Sheet", "Table"]
