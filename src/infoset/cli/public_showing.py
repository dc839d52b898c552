"""Which part of a solution on a public form is shown, and written to a file of tables.

As of trees: a strategy that is long is told by situations unless something is asked for. A player's
whole strategy may have more rows here than anyone reads, or than a terminal holds; then it is told
by situations all the same, and pages have the rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from infoset.cli.showing import A_PAGE, FEW, terminal
from infoset.errors import ParameterError, nearest

if TYPE_CHECKING:
    from infoset.examine.tables import Sheet
    from infoset.forms.public import PublicForm
    from infoset.rules import Game
    from infoset.solve.public.solution import PublicSolution

MANY = 20_000  # information sets that are listed, at most, or written out for programs
MORE = "--where TEXT looks inside, --page N turns pages, --csv FILE writes all"

Counts = dict[str, int]  # by player who is shown: its rows


@dataclass(frozen=True)
class PublicView:
    """What is asked for: a player, labels, a number of rows, a page."""

    player: str | None = None
    where: tuple[str, ...] = ()
    rows: int | None = None
    page: int | None = None

    def check_player(self, game: Game) -> None:
        """Refuse a player that there is not."""
        if self.player is not None and self.player not in game.players:
            hint = nearest(self.player, game.players)
            raise ParameterError(f"--player {self.player!r:.60}: no such player; {hint}")

    def counts(self, form: PublicForm) -> Counts:
        """By player: how many information sets are asked for; refused where that is none.

        Needs no solution, so that a slip is said before the work is done. Players in whose labels
        nothing fits are left out.
        """
        names = form.players if self.player is None else (self.player,)
        found = {name: form.infosets[form.player_number(name)] for name in names}
        if self.where:
            from infoset.examine.public_states import PublicStates
            from infoset.examine.public_tables import matching, no_such_set

            fitting = {name: matching(PublicStates(form, name), self.where) for name in names}
            found = {name: int(own.sizes.sum()) for name, own in fitting.items() if len(own)}
            if not found:
                raise no_such_set(form, names, self.where)
        pages = self._pages(found)
        if self.page is not None and self.page > pages:
            several = "is only one page" if pages == 1 else f"are only {pages:,} pages"
            raise ParameterError(f"--page {self.page}: there {several}")
        return found

    def _pages(self, counts: Counts) -> int:
        """The number of pages of the longest strategy that is shown."""
        return max(1, -(-max(counts.values()) // (self.rows or A_PAGE)))

    def _by_situations(self, count: int) -> bool | None:
        """Is a strategy told by situations? None where that follows from its length."""
        if self.page is not None:
            return False
        if count > MANY and self.rows is None:
            return True
        return None if self.player is None else False

    def _cut(self, count: int) -> bool:
        """Is there more to a strategy than is shown?"""
        from infoset.examine.strategies import FOLDED

        asked = self.player is not None or self.page is not None or bool(self.where)
        return self._by_situations(count) is True or (not asked and count > FOLDED)

    def _sheets(self, found: PublicSolution, counts: Counts) -> dict[str, Sheet]:
        size = self.rows or A_PAGE
        only = None if self.page is None else range((self.page - 1) * size, self.page * size)
        return {
            name: found.table(name, where=self.where, fold=self._by_situations(count), rows=only)
            for name, count in counts.items()
        }

    def text(self, found: PublicSolution, counts: Counts) -> str:
        """All that is asked for, for the terminal."""
        from infoset.examine.public_report import public_facts
        from infoset.examine.tables import Sheet

        style = terminal()
        texts = [Sheet(found.form.name, (), public_facts(found)).text(most=None, **style)]
        for name, sheet in self._sheets(found, counts).items():
            most = self.rows or (FEW if self._cut(counts[name]) else None)
            texts.append(sheet.text(most=most, **style))
        if self.page is not None:
            texts.append(f"page {self.page} of {self._pages(counts)}")
        longest = max(counts.values())
        if self._by_situations(longest) is True:
            texts.append(f"{longest:,} information sets are too many to list; {MORE}")
        elif self._cut(longest):
            texts.append(f"--player NAME shows all, {MORE}")
        return "\n\n".join(texts)

    def sheet(self, found: PublicSolution, counts: Counts) -> Sheet:
        """The same in one sheet, for a file."""
        from infoset.examine.public_report import public_facts
        from infoset.examine.tables import Sheet

        tables = [
            replace(table, title=f"{name}, {table.title}" if table.title else name)
            for name, sheet in self._sheets(found, counts).items()
            for table in sheet
        ]
        return Sheet(found.form.name, tables, public_facts(found))
