"""The figures: overconfident against paranoid as in the slides, and optimal play beside them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from trials import EXACT, PLAYED, Mean, Scores, by_line, points

from infoset.display.plots.style import colour, marker, new_figure, save_figure, styled

PANELS = (
    (EXACT, "p_game", "P-games"),
    (EXACT, "n_game", "N-games"),
    (PLAYED, "kalah", "kalah"),
)
CURVES = {
    "score": "overconfident against paranoid",
    "optimal_paranoid": "optimal against paranoid",
    "optimal_overconfident": "optimal against overconfident",
}
X_LABEL = "fraction h of hidden moves"
BESIDE = 0.01  # by how much the next curve is drawn to the right, so that intervals can be seen


def draw_all(scores: Scores, folder: Path) -> None:
    """Both figures, as far as there are trials for them."""
    folder.mkdir(parents=True, exist_ok=True)
    against_each_other(scores, folder / "hidden-moves.svg")
    if any(trial.kind == EXACT and trial.game != "kalah" for trial in scores):
        with_optimal_play(scores, folder / "hidden-moves-optimal.svg")


def against_each_other(scores: Scores, file: Path) -> None:
    """A panel for each game, a curve for each number of moves."""
    lines = by_line(scores)
    with styled():
        figure = new_figure(8.4, 3.2)
        axes = figure.subplots(1, 3, sharey=True)
        for panel, (kind, game, title) in zip(axes, PANELS, strict=True):
            of_game = [line for line in lines if line[:2] == (kind, game)]
            for number, line in enumerate(of_game):
                name = f"b = {line[2]}" + (f", {line[3]} seeds" if game == "kalah" else "")
                curve(panel, points(lines[line], "score"), number, name)
            panel.set(title=title, xlabel=X_LABEL)
            panel.axhline(0, color="grey", lw=0.8)
            if of_game:
                panel.legend(loc="best")
        axes[0].set_ylabel("overconfident against paranoid")
        save_figure(figure, file)


def with_optimal_play(scores: Scores, file: Path) -> None:
    """A row for each game, a panel for each number of moves, a curve for each pairing."""
    lines = {line: found for line, found in by_line(scores).items() if line[0] == EXACT}
    games = [(game, title) for kind, game, title in PANELS if kind == EXACT]
    columns = sorted({line[2] for line in lines if line[1] != "kalah"})
    with styled():
        figure = new_figure(8.4, 5.2)
        axes = figure.subplots(len(games), len(columns), sharex=True, sharey=True, squeeze=False)
        for row, (game, title) in zip(axes, games, strict=True):
            for panel, moves in zip(row, columns, strict=True):
                for line in (line for line in lines if line[1:3] == (game, moves)):
                    for number, (what, name) in enumerate(CURVES.items()):
                        curve(panel, points(lines[line], what), number, name)
                panel.set_title(f"{title}, b = {moves}")
                panel.axhline(0, color="grey", lw=0.8)
            row[0].set_ylabel("mean score")
        for panel in axes[-1]:
            panel.set_xlabel(X_LABEL)
        axes[0][0].legend(loc="upper left")
        save_figure(figure, file)


def curve(panel: Any, means: Mapping[str, Mean], number: int, name: str) -> None:
    """Means with their intervals."""
    panel.errorbar(
        [float(Fraction(hidden)) + BESIDE * number for hidden in means],
        [one.mean for one in means.values()],
        yerr=[one.off for one in means.values()],
        color=colour(number),
        marker=marker(number),
        markersize=4,
        capsize=2,
        lw=1.2,
        label=name,
    )
