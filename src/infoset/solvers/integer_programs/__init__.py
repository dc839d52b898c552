"""Integer programs over pure strategies, for the methods ``pure`` and ``max-min``."""
