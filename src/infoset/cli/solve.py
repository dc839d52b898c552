"""What ``infoset solve`` does for an answer: solving or loading, and refusing what cannot be.

``infoset solve``: an equilibrium of a game, with its proof.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from infoset.cli.correlated import Asked, Wish, Written, advise
from infoset.cli.files import spare
from infoset.cli.game_arguments import (
    GameArgument,
    Json,
    MaxMoves,
    MaxNodes,
    ParametersArgument,
    Patience,
    is_tree,
    named_game,
    named_tree,
)
from infoset.cli.output import Files, Look, Most, Orientation, Shown, Theme, facts, no_facts
from infoset.cli.progress import status
from infoset.cli.public import Fold, Merge, Public, PublicView, Wanted, fits, public_answer
from infoset.cli.solve_options import (
    After,
    Against,
    Averaging,
    BestFirst,
    Bounds,
    CellOrder,
    Checkpoint,
    Compiled,
    Csv,
    Depth,
    Draw,
    Epsilon,
    Evaluator,
    Every,
    Exact,
    Exploration,
    Exponents,
    Iterations,
    Load,
    Log,
    LogPlot,
    Method,
    Methods,
    Page,
    Pick,
    Player,
    Plot,
    Precision,
    Prove,
    Pruning,
    Regret,
    Rows,
    Running,
    Save,
    SaveEvery,
    Searching,
    Seconds,
    Seed,
    Several,
    Skip,
    SubgamePerfect,
    TableFile,
    Transpositions,
    Updates,
    Verify,
    Welfare,
    Where,
    Workers,
    watching,
)
from infoset.errors import InfosetError, NoEquilibrium, ParameterError, TooLarge
from infoset.rules.running import MAX_MOVES, MAX_NODES, PATIENCE
from infoset.solvers.interrupt import interruptible
from infoset.text import printable
from infoset.tree import Tree


def solution_of(
    tree: Any,
    method: str | None,
    load: Path | None,
    asked: Asked,
    running: Running,
    exact: bool | None,
    seconds: float | None,
) -> Any:
    """The solution: loaded, or solved for now."""
    from infoset.solvers import Solution
    from infoset.solvers import solve as solved
    from infoset.solvers.registry import choose
    from infoset.solvers.settings import TAKES

    if load is not None:
        return Solution.load(load, tree)
    settings = running.settings
    row = None if asked.subgame_perfect else choose(tree, method, settings, exact)[0]
    wishes = {name: getattr(settings, name) for name in settings.chosen}
    with ExitStack() as stack:
        words, stop = f"solving {tree.name}", stack.enter_context(interruptible())
        watch = tick = None
        if row is not None and row.file in TAKES:
            watch = stack.enter_context(watching(words))
        else:
            tick = stack.enter_context(status(words))
        return solved(
            tree,
            method,
            exact=exact,
            seconds=seconds,
            most=asked.most,
            subgame_perfect=asked.subgame_perfect,
            tick=tick,
            stop=stop,
            watch=watch,
            **wishes,
        )


def alone(why: str, others: Iterable[tuple[str, Any]]) -> None:
    """Refuse what does not go with something else."""
    for name, value in others:
        if value is not None and value != []:
            raise ParameterError(f"{why}; {name} cannot change it")


def solve(
    name: GameArgument,
    parameters: ParametersArgument = None,
    method: Method = None,
    exact: Exact = None,
    player: Player = None,
    where: Where = None,
    rows: Rows = None,
    page: Page = None,
    plot: Plot = None,
    draw: Draw = None,
    orientation: Orientation = None,
    theme: Theme = None,
    most: Most = None,
    table: TableFile = None,
    csv: Csv = None,
    save: Save = None,
    load: Load = None,
    seconds: Seconds = None,
    several: Several = None,
    every: Every = False,
    pick: Pick = None,
    subgame_perfect: SubgamePerfect = False,
    welfare: Welfare = None,
    against: Against = None,
    epsilon: Epsilon = None,
    iterations: Iterations = None,
    regret: Regret = None,
    updates: Updates = None,
    averaging: Averaging = None,
    exponents: Exponents = None,
    precision: Precision = None,
    workers: Workers = None,
    checkpoint: Checkpoint = None,
    save_every: SaveEvery = None,
    log: Log = None,
    log_plot: LogPlot = None,
    prove: Prove = None,
    seed: Seed = None,
    exploration: Exploration = None,
    depth: Depth = None,
    verify: Verify = False,
    after: After = None,
    evaluator: Evaluator = None,
    bounds: Bounds = None,
    transpositions: Transpositions = None,
    compiled: Compiled = None,
    order: CellOrder = None,
    skip: Skip = None,
    pruning: Pruning = None,
    best_first: BestFirst = False,
    public: Public = None,
    fold: Fold = True,
    merge: Merge = False,
    max_nodes: MaxNodes = MAX_NODES,
    max_moves: MaxMoves = MAX_MOVES,
    patience: Patience = PATIENCE,
    as_json: Json = False,
    methods: Methods = False,
) -> None:
    """Find an equilibrium and prove it: value, payoffs, regret, certificate, strategies."""
    from infoset.solvers.registry import LARGE, choose, solver
    from infoset.solvers.storage import kind_of, refuse_others

    because, needless = None, "leave out --public"
    if method is None and log_plot is not None and load is None:
        method = LARGE  # only runs of regret minimization have what can be plotted
        because = "as asked: log-plot"
    row = None if method is None else solver(method)  # misspelt: said before the tree is built
    asked = Asked(several, every, pick, subgame_perfect, welfare, against, epsilon)
    asked.check(row, load is not None)
    running = Running(
        iterations,
        regret,
        updates,
        averaging,
        exponents,
        precision,
        workers,
        checkpoint,
        save_every,
        log,
        prove,
        seed,
        exploration,
        log_plot,
    )
    search = Searching(
        depth,
        verify,
        evaluator,
        bounds,
        transpositions,
        compiled,
        order,
        skip,
        pruning,
        best_first,
        tuple(after or ()),
    )
    search.check(method)
    searching = row is not None and row.file == "searching" and not subgame_perfect
    sampling = row is not None and row.file == "sampling"
    sampling = sampling and not prove  # on the tree, then, where every answer is proved
    if not sampling:
        running.check(row, load is not None)
    if load is not None:
        kind = "--floats" if exact is False else "--exact"
        given = (("--method", method), (kind, exact), ("--time", seconds))
        alone("--load shows what was saved", given)
        if public is None and kind_of(load) == "public":  # which says itself what it is of
            public, needless = True, f"{printable(str(load))} is a solution of a public form"
        refuse_others(load, "public" if public else "tree")
    if as_json:
        listed = (("--where", where), ("--rows", rows), ("--page", page))
        alone("--json gives everything", listed)
    advice = row is not None and row.gives in ("correlated", "play")
    if advice or sampling:
        idle: list[tuple[str, Any]] = [("--plot", plot), ("--draw", draw), ("--save", save)]
        idle += [("--load", load), ("--page", page)]
        idle += [("--public", public or None), ("--merge", merge or None)]
        idle += [("--no-fold", None if fold else True)]
        idle += [("--where", where), ("--rows", rows)] if advice else [("--exact", exact)]
        idle += [("--player", player)] if row is not None and row.gives == "correlated" else []
        for option, value in idle:
            if value is not None and value != []:
                raise ParameterError(f"{option} does not go with --method {method}")
    if searching and not verify:
        whole = (("--player", player), ("--where", where), ("--rows", rows), ("--page", page))
        pictures = (("--plot", plot), ("--draw", draw), ("--save", save))
        for option, value in (*whole, *pictures):
            if value is not None and value != []:
                raise ParameterError(f"{option} needs all strategies; --verify has them made")
    files = Files(save, csv, table, plot, draw, Look(orientation, theme, most))
    written = Written(table, csv)
    if advice and row is not None:
        written.check(row.gives)
    files.check()  # said before the work is done
    rules = Path(name.rpartition(":")[0] if ".py:" in name else name)
    spare((*files.named, *running.files), (against, rules, load if save is None else None))
    if sampling and method is not None:
        from infoset.cli.sampling import sampled_answer

        sampled_answer(
            name,
            parameters,
            method,
            running,
            seconds=seconds,
            player=player,
            where=tuple(where or ()),
            rows=rows,
            csv=csv,
            table=table,
            as_json=as_json,
            max_nodes=max_nodes,
            max_moves=max_moves,
            patience=patience,
        )
        return
    wanted = Wanted(
        method,
        exact,
        seconds,
        PublicView(player, tuple(where or ()), rows, page),
        as_json,
        fold,
        merge,
        csv,
        table,
        plot,
        save,
        load,
        theme,
        max_moves,
        patience,
        because,
    )
    by_tree: list[tuple[str, Any]] = [("--draw", draw), ("--most", several)]
    by_tree += [("--all", every or None), ("--pick", pick), ("--welfare", welfare)]
    by_tree += [("--subgame-perfect", subgame_perfect or None)]
    if public:
        limit = ("--max-nodes", None if max_nodes == MAX_NODES else max_nodes)
        alone("--public builds no tree", [limit])
        for option, value in by_tree:
            if value is not None:
                raise ParameterError(f"{option} needs the tree; {needless}")
        limits = (max_nodes, max_moves, patience)
        public_answer(named_game(name, parameters, limits), wanted, running)
        return
    if not fold or merge:
        raise ParameterError(f"{'--merge' if merge else '--no-fold'} goes with --public")
    found = game = None
    if searching and method is not None:
        from infoset.cli.searching import searched, show_search

        game = named_game(name, parameters, (max_nodes, max_moves, patience))
        found = searched(game, method, search, exact, seconds)
        if not verify:
            show_search(found, search, csv, table, as_json)
            return
    began = time.perf_counter()
    try:
        tree = (
            game
            if isinstance(game, Tree)
            else named_tree(name, parameters, max_nodes, max_moves, patience)
        )
    except TooLarge as large:
        plain = not any(value is not None for _, value in by_tree) and max_nodes == MAX_NODES
        suits = row is None or row.file == "cfr" or row.name == "lp"
        if public is None and plain and suits and not is_tree(name):
            late = named_game(name, parameters, (max_nodes, max_moves, patience))
            if fits(late):
                public_answer(late, wanted, running)
                return
        raise TooLarge(f"{large}; --method external-sampling needs no tree") from None
    building = time.perf_counter() - began
    if player is not None:
        tree.player_number(player)
    if advice:
        chosen, _ = choose(tree, method)
        wish = Wish(player, exact, seconds, as_json)
        advise(tree, chosen, asked, written, wish)
        return
    view = Shown(player, tuple(where or ()), rows, page)
    view.check(tree)
    try:
        if found is not None:
            from infoset.cli.searching import verified

            solution = verified(found, tree)
        else:
            solution = solution_of(tree, method, load, asked, running, exact, seconds)
            solution = solution if because is None else replace(solution, because=because)
    except NoEquilibrium as none:  # which is an answer, too
        print(json.dumps(no_facts(tree, method, str(none))) if as_json else none)
        if files.named:
            raise ParameterError("there is nothing to write to a file") from None
        return
    shown = solution if pick is None else solution.pick(pick)
    view.check_page(shown)
    told, problem = files.write(shown, view)
    try:
        told = "\n".join(part for part in (told, running.write(solution, tree.name)) if part)
    except InfosetError as trouble:
        problem = problem or trouble
    if found is not None:
        from infoset.display.searched import counted

        told = "\n".join(part for part in (f"searched: {counted(found)}", told) if part)
    if as_json:
        print(json.dumps(facts(shown, building, player, solution)))
    else:
        print("\n\n".join([view.text(shown, solution), *([told] if told else [])]))
    if problem is not None:  # the answer is not lost for it
        raise problem
