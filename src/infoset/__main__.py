"""``python -m infoset``."""

from infoset.cli import main

main()
