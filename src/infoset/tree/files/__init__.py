"""Games in files, in the formats of Gambit."""

from infoset.tree.files.efg import read_efg
from infoset.tree.files.efg_writer import efg_lines, write_efg
from infoset.tree.files.nfg import nfg_lines, read_nfg, write_nfg
from infoset.tree.files.plain import is_plain, plain_labels
from infoset.tree.files.store import load, load_table, save

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
