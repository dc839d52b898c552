"""Search with perfect information: alpha-beta, tables, chance; several players."""

from infoset.search.perfect.result import PerfectResult
from infoset.search.perfect.search import PerfectSearch, search_perfect

__all__ = ["PerfectResult", "PerfectSearch", "search_perfect"]
