"""Play against a known opponent: the linear program of safe strategies, and its proof."""
