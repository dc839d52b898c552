"""Games in files, in the formats of Gambit."""

from infoset.tree.files.efg import efg_lines, read_efg, write_efg
from infoset.tree.files.nfg import nfg_lines, read_nfg, write_nfg
from infoset.tree.files.store import is_plain, load, load_table, plain_labels, save

__all__ = [
    "efg_lines",
    "is_plain",
    "load",
    "load_table",
    "nfg_lines",
    "plain_labels",
    "read_efg",
    "read_nfg",
    "save",
    "write_efg",
    "write_nfg",
]
