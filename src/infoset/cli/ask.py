"""``infoset ask``: what a solution means, question by question.

Questions are understood before anything is solved, since solving may take long: a slip in a name, a
play or a file is reported at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infoset import analysis
from infoset.analysis import questions
from infoset.analysis.questions import Answer, BestReply
from infoset.analysis.questions.answer import rounding
from infoset.analysis.questions.names import branch
from infoset.analysis.questions.signalling import SignallingGame
from infoset.analysis.table import Column, Sheet, Table
from infoset.cli.files import TABLES, check_target
from infoset.cli.game_arguments import GameArguments, LimitOptions, named_game, named_tree
from infoset.cli.options import Command, group, option
from infoset.cli.output import Writing, deliver, json_option, table_option, terminal
from infoset.cli.progress import status
from infoset.cli.solve_options import method_option, time_option
from infoset.display.tables.terminal import wrapped
from infoset.errors import (
    InfosetError,
    NotApplicable,
    ParameterError,
    StrategyError,
    TooLarge,
    nearest,
)
from infoset.forms.normal import NormalForm, normal_form
from infoset.rules import Game
from infoset.solvers import Solution, solve
from infoset.solvers.container import kind_of, refuse_others
from infoset.solvers.interrupt import interruptible
from infoset.solvers.registry import choose, solver
from infoset.solvers.storage import strategy_record
from infoset.strategy import Profile, Strategy, profile
from infoset.strategy.convert import Edited, read_strategies
from infoset.strategy.files import probability, write_strategies
from infoset.strategy.strategy import action_number
from infoset.text import amount_text, spelled

if TYPE_CHECKING:
    from infoset.tree import Infoset, Tree

MISSING = ("refuse", "uniform", "solution")
MOST_ROWS = 40
FEW_PLAYS = 10  # that are shown where nothing was asked
WHOSE = {"own": "own choice", "others": "the others", "both": "both"}
MOST_COLONS = 20  # of a deviation in words, at which it is tried to part it
CAN_BE_ASKED = (
    "ask about an information set, 'PLAYER: LABEL' or '#NUMBER', with --beliefs, --values and"
    " --deviate, about a play, 'MOVE, MOVE', with --from, and about everything with --plays,"
    " --unreached, --supporting, --intuitive, --reply FILE.csv and --compare FILE.json; about the"
    " game itself with --commitment, --pareto, --minimax-regret, --stable and --grim-trigger"
)
A_LINE = 100  # places of a line where there is no terminal


# ---------------------------------------------------------------------- the options


@dataclass(frozen=True)
class Questions:
    """What is asked."""

    beliefs: tuple[str, ...] = option(
        "Beliefs at 'PLAYER: LABEL', LABEL or '#NUMBER'.", metavar="SET", default=()
    )
    values: tuple[str, ...] = option(
        "Value and regret of each action at an information set.", metavar="SET", default=()
    )
    after: tuple[str, ...] = option(
        "The outcome after a play, as 'J Q, bet'; * is any move.",
        flags="--from",
        metavar="PLAY",
        default=(),
    )
    plays: bool = option("The likeliest plays.", default=False)
    deviate: tuple[str, ...] = option(
        "What it costs to play ACTION there, and nowhere else.", metavar="SET:ACTION", default=()
    )
    reply: Path | None = option("The best reply to the strategies in a file.", metavar="FILE.csv")
    compare: Path | None = option("How a saved solution differs.", metavar="FILE.json")
    unreached: bool = option("The information sets that no play reaches.", default=False)
    supporting: bool = option(
        "Of each equilibrium: is it sequential, is it weak perfect Bayesian, with which beliefs.",
        default=False,
    )
    intuitive: bool = option(
        "The intuitive criterion, for each equilibrium of a signalling game.", default=False
    )
    commitment: tuple[str, ...] = option(
        "The best mixed strategy that a player can commit to: Stackelberg.",
        metavar="PLAYER",
        default=(),
    )
    pareto: bool = option("The Pareto optimal profiles of pure strategies.", default=False)
    minimax_regret: tuple[str, ...] = option(
        "The mixed strategy of a player whose worst regret is smallest.",
        metavar="PLAYER",
        default=(),
    )
    stable: tuple[str, ...] = option(
        "Is 'STRATEGY=PROBABILITY, ...' evolutionarily stable, in a symmetric game?",
        metavar="MIXTURE",
        default=(),
    )
    grim_trigger: tuple[str, ...] = option(
        "How patient players must be for 'ACTION, ACTION', if the game is repeated.",
        metavar="OUTCOME",
        default=(),
    )
    full: bool = option("With --beliefs: show whole plays.", default=False)

    def understood(self, tree: Tree, most: int | None) -> list[Question]:
        """The questions about strategies, in the order in which they are answered."""
        return [
            *beliefs(tree, self.beliefs, self.full),
            *values(tree, self.values),
            *outcomes(tree, self.after),
            *([plays(most)] if self.plays else []),
            *deviations(tree, self.deviate),
            *([supporting()] if self.supporting else []),
            *([intuitive(tree)] if self.intuitive else []),
            *self.of_game(tree),
        ]

    def of_game(self, tree: Tree) -> list[Question]:
        """The questions about the game itself, for which nothing is solved."""
        return [
            *by_player(tree, "commitment", "stackelberg", self.commitment),
            *([about_game("pareto", "", "pareto", tree)] if self.pareto else []),
            *by_player(tree, "minimax-regret", "minimax_regret", self.minimax_regret),
            *stability(tree, self.stable),
            *grim_triggers(tree, self.grim_trigger),
        ]


@dataclass(frozen=True)
class StrategyOptions:
    """Which strategies are asked about."""

    strategy: Path | None = option(
        "Ask about the strategies in a file, not about a solution.", metavar="FILE.csv"
    )
    missing: str | None = option(
        "Information sets that a file leaves out: refuse, uniform, or solution.",
        metavar="HOW",
        unset=MISSING[0],
    )
    load: Path | None = option("Ask about a saved solution; solve nothing.", metavar="FILE.json")
    method: str | None = method_option()
    seconds: float | None = time_option()

    def check(self) -> None:
        """Refuse what can be refused before any work is done."""
        if self.method is not None:
            solver(self.method)
        for flag, value in (("--method", self.method), ("--time", self.seconds)):
            if self.load is not None and value is not None:
                raise ParameterError(f"--load asks about what was saved; {flag} cannot change it")
        if self.missing is not None and self.missing not in MISSING:
            hint = nearest(self.missing, MISSING)
            raise ParameterError(f"--missing {self.missing!r} is not known; {hint}")

    def refuse_unused(self, put: Sequence[Question]) -> None:
        """Refuse strategies where all questions are about the game itself."""
        if not put or not all(one.of_game for one in put):
            return
        for flag, given in (
            ("--strategy", self.strategy),
            ("--load", self.load),
            ("--method", self.method),
            ("--time", self.seconds),
        ):
            if given is not None:
                raise ParameterError(
                    f"--{put[0].kind} is about the game, and no strategies are asked about; leave"
                    f" {flag} out"
                )


@dataclass(frozen=True)
class AskOutput:
    """How answers are shown, and which files are written."""

    rows: int | None = option("At most so many rows of a table.", minimum=1, unset=str(MOST_ROWS))
    as_json: bool = json_option()
    table: Path | None = table_option("the tables")
    csv: Path | None = option("With --reply: write the reply as CSV, to edit and ask about.")


@dataclass(frozen=True)
class AskRequest:
    """All that is asked of ``infoset ask``."""

    game: GameArguments = group()
    questions: Questions = group("Questions")
    source: StrategyOptions = group("Strategies")
    output: AskOutput = group("Output")
    limits: LimitOptions = group("Limits")

    def check(self) -> None:
        """Refuse what cannot be, before any work is done."""
        asked, source, output = self.questions, self.source, self.output
        source.check()
        for file, formats in ((output.table, TABLES), (output.csv, (".csv",))):
            if file is not None:
                check_target(file, formats)
        files = source.strategy or asked.reply
        for idle, words in (
            (asked.full and not asked.beliefs, "--full goes with --beliefs"),
            (source.missing and not files, "--missing goes with --strategy or --reply"),
            (output.rows and output.as_json, "--rows is of what is printed; --json has every row"),
            (output.csv and not asked.reply, "--csv writes the best reply; add --reply FILE.csv"),
        ):
            if idle:
                raise ParameterError(words)


def ask(request: AskRequest) -> None:
    """Ask what a solution means: beliefs, values, plays, replies; several questions at once.

    Without a question: an overview, and what can be asked.
    """
    request.check()
    asked, source, output = request.questions, request.source, request.output
    tree = _tree(request)
    most = output.rows or MOST_ROWS
    put = asked.understood(tree, None if output.table or output.as_json else most)
    load = partial(_load, request, tree)
    strategies = Strategies(tree, source, load)
    if asked.reply is None:
        strategies.refuse_idle()
    else:
        put += replies(strategies, asked.reply)
    if asked.compare is not None:
        put.append(comparison(load(asked.compare), asked.compare))
    if asked.unreached:
        put.append(unreached())
    source.refuse_unused(put)
    found = [(one, one.put(strategies)) for one in put or [overview(most)]]
    deliver(Answers(strategies, found, output, bool(put)), output.as_json)


def _tree(request: AskRequest) -> Tree:
    """The tree that questions are about; where it is too large, with what does without it."""
    try:
        return named_tree(request.game, request.limits)
    except TooLarge as large:
        game = named_game(request.game, request.limits) if request.game.has_rules else None
        if not (isinstance(game, Game) and game.vectorized and len(game.players) == 2):
            raise
        raise TooLarge(
            f"{large}; without the tree, infoset solve --public --where LABEL shows reach, values"
            " and beliefs"
        ) from None


# ---------------------------------------------------------------------- what is asked about


@dataclass(eq=False)
class Strategies:
    """What is asked about: an equilibrium, found when it is first needed, or what a file has."""

    tree: Tree
    asked: StrategyOptions
    load: Callable[[Path], Solution]

    def __post_init__(self) -> None:
        self.file = self.asked.strategy  # strategies in place of the equilibrium's
        self.missing = self.asked.missing or MISSING[0]  # of information sets that it leaves out
        self.notes: list[str] = []
        self.edited = None if self.file is None else self.read(self.file)
        saved = self.asked.load
        self._loaded = None if saved is None else self.load(saved)

    def read(self, path: Path, *, filled: bool = False) -> Edited:
        """The strategies in a file; what they leave to the solution is filled in if asked for."""
        how: Any = "error" if self.missing == "refuse" else self.missing
        if how == "solution":
            how = self.solution if filled else "uniform"
        found = read_strategies(path, self.tree, missing=how)
        self.notes += [note for note in found.notes if note not in self.notes]
        return found

    @cached_property
    def solution(self) -> Solution:
        """The equilibrium: loaded, or solved for now."""
        if self._loaded is not None:
            return self._loaded
        return solved(self.tree, self.asked.method, self.asked.seconds)

    @cached_property
    def subject(self) -> Solution | Profile:
        """What questions are about; nothing is solved where a file has everyone's strategy."""
        if self.file is None:
            return self.solution
        played: dict[str, Any] = dict(self.given)
        if any(player not in played for player in self.tree.names):
            played = {**self.solution.strategy, **played}
        found = vars(self).get("solution")
        if found is None or found.exact:
            return profile(played)
        return profile(strategy.inexact() for strategy in played.values())  # as near as it is

    @cached_property
    def given(self) -> Mapping[str, Strategy]:
        """The strategies of the file that takes the place of the equilibrium, by player."""
        return {} if self.file is None else self.read(self.file, filled=True)

    def refuse_idle(self) -> None:
        """Refuse to solve or to load where a file has everyone's strategy, and nothing asks."""
        given: Mapping[str, Any] = self.edited or {}
        if self.missing == "solution" or any(name not in given for name in self.tree.names):
            return
        asked = self.asked
        options = {"--load": asked.load, "--method": asked.method, "--time": asked.seconds}
        for flag, value in options.items():
            if value is not None:
                raise ParameterError(
                    f"{self.file} has everyone's strategy, so that nothing is solved; leave"
                    f" {flag} out"
                )

    @property
    def source(self) -> str:
        """Where the strategies are from."""
        if self.file is None:
            found = vars(self).get("solution")  # a question need not have asked for it
            return f"{found.method}: {found.because}; {found.certificate}" if found else ""
        others = "" if len(self.edited or ()) == len(self.tree.names) else ", others in equilibrium"
        return f"{self.file} ({', '.join(self.edited or ())}{others})"


def _load(request: AskRequest, tree: Tree, path: Path) -> Solution:
    """A saved solution, of the tree or of the public form; the latter is placed on the tree."""
    if kind_of(path) == "sampled":
        return Solution.load(path, named_game(request.game, request.limits)).on_tree(tree)
    if kind_of(path) != "public" or not request.game.has_rules:
        refuse_others(path, "tree")
        return Solution.load(path, tree)
    return Solution.load(path, named_game(request.game, request.limits)).on_tree(tree)


def solved(tree: Tree, method: str | None = None, seconds: float | None = None) -> Solution:
    """A solution, with a word about how far it is."""
    choose(tree, method)
    with status(f"solving {tree.name}") as tick, interruptible() as stop:
        return solve(tree, method, seconds=seconds, tick=tick, stop=stop)


# ---------------------------------------------------------------------- the questions


@dataclass(frozen=True)
class Question:
    """A question that is understood, and can be put."""

    kind: str
    about: str
    put: Callable[[Strategies], Answer]
    of_game: bool = False  # is it about the game itself, whatever is played?


def _asked(kind: str, about: str, ask: Callable[..., Answer], *what: Any, **how: Any) -> Question:
    """A question about the strategies that are asked about."""
    return Question(kind, about, lambda strategies: ask(strategies.subject, *what, **how))


def beliefs(tree: Tree, sets: Sequence[str], full: bool) -> list[Question]:
    """What is believed at some information sets."""
    return [
        _asked("beliefs", words, questions.beliefs, questions.place(tree, words), full=full)
        for words in sets
    ]


def values(tree: Tree, sets: Sequence[str]) -> list[Question]:
    """The values of actions at some information sets."""
    return [
        _asked("values", words, questions.action_values, questions.place(tree, words))
        for words in sets
    ]


def outcomes(tree: Tree, after: Sequence[str]) -> list[Question]:
    """What follows some plays."""
    for words in after:
        branch(tree, words)  # refused now if there is no such play
    return [_asked("from", words, questions.outcome, words) for words in after]


def plays(most: int | None) -> Question:
    """How the game goes, in the likeliest plays or, for files, in all of them."""
    return _asked("plays", "", questions.plays, most)


def unreached() -> Question:
    """Where no play comes."""
    return _asked("unreached", "", questions.unreached)


def supporting() -> Question:
    """Which beliefs support each equilibrium."""
    return _asked("supporting", "", questions.supporting_beliefs)


def intuitive(tree: Tree) -> Question:
    """Which equilibria of a signalling game satisfy the intuitive criterion."""
    SignallingGame(tree)  # refused now if it is none
    return _asked("intuitive", "", questions.intuitive_criterion)


def about_game(kind: str, about: str, function: str, tree: Tree, *what: Any) -> Question:
    """A question about the game itself, answered by a function of :mod:`infoset.analysis`."""
    return Question(kind, about, lambda _: getattr(analysis, function)(tree, *what), of_game=True)


def by_player(tree: Tree, kind: str, function: str, players: Sequence[str]) -> list[Question]:
    """A question about the game for each of some players."""
    for player in players:
        tree.player_number(player)  # refused now if there is none
    return [about_game(kind, player, function, tree, player) for player in players]


def stability(tree: Tree, mixtures: Sequence[str]) -> list[Question]:
    """Whether some mixtures are evolutionarily stable."""
    ask = partial(about_game, "stable")
    return [
        ask(words, "evolutionary_stability", tree, _mixture(normal_form(tree), words))
        for words in mixtures
    ]


def _mixture(form: NormalForm, words: str) -> list[Any]:
    """``STRATEGY=1/3, STRATEGY=2/3``, or one strategy alone."""
    labels = form.labels(0)
    weights = {words.strip(): Fraction(1)} if words.strip() in labels else {}
    for part in words.split(",") if not weights else ():
        label, sign, weight = (side.strip() for side in part.rpartition("="))
        if not sign:
            label, weight = weight, "1"
        if label not in labels:
            hint = nearest(label, labels)
            raise ParameterError(f"--stable {words!r}: there is no strategy {label!r}; {hint}")
        if label in weights:
            raise ParameterError(f"--stable {words!r}: {label!r} is named twice; name it once")
        weights[label] = probability(weight, f"--stable: {label}")
    return [weights.get(label, 0) for label in labels]


def grim_triggers(tree: Tree, outcomes: Sequence[str]) -> list[Question]:
    """How patient players must be for some outcomes, if the game is repeated."""
    return [
        about_game("grim-trigger", words, "grim_trigger", tree, [one.strip() for one in parts])
        for words in outcomes
        if (parts := words.split(","))
    ]


def comparison(other: Solution, path: Path) -> Question:
    """How a saved solution differs."""
    return _asked("compare", str(path), questions.compare, other)


def deviations(tree: Tree, sets: Sequence[str]) -> list[Question]:
    """What it costs to play otherwise."""
    return [_asked("deviate", words, questions.deviation, *_parted(tree, words)) for words in sets]


def _parted(tree: Tree, words: str) -> tuple[Infoset, Any]:
    """``SET: ACTION`` or ``SET: ACTION=1/3, ACTION=2/3``; the last colon that fits parts them."""
    problem: InfosetError | None = None
    cuts = [at for at, sign in enumerate(words) if sign == ":"][: -MOST_COLONS - 1 : -1]
    for cut in cuts:
        try:
            infoset = questions.place(tree, words[:cut])
        except InfosetError as error:
            problem = problem or error
            continue
        try:
            return infoset, _instead(infoset, words[cut + 1 :].strip())
        except InfosetError as error:
            problem = error
    if problem is not None:
        raise problem
    raise ParameterError(f"--deviate {words!r} names no action; write 'SET: ACTION'")


def _instead(infoset: Infoset, said: str) -> Any:
    """An action, or probabilities of actions."""
    try:
        action_number(infoset, said)  # which may have an = in it
        return said
    except StrategyError:
        if "=" not in said:
            raise
    probabilities: dict[str, Any] = {}
    for part in said.split(","):
        action, _, spelled = part.rpartition("=")
        if not action.strip():
            raise ParameterError(f"--deviate: {part.strip()!r} is not ACTION=PROBABILITY")
        action_number(infoset, action.strip())
        probabilities[action.strip()] = probability(spelled.strip(), f"--deviate: {action.strip()}")
    return probabilities


def replies(strategies: Strategies, path: Path) -> list[Question]:
    """The best replies to a file's strategies: of those who have none in it, or of everyone."""
    names = strategies.tree.names
    given = strategies.read(path)
    repliers = [name for name in names if name not in given] or list(names)

    def reply(asked: Strategies, replier: str) -> Answer:
        known = {**asked.given, **asked.read(path, filled=True)}
        solution: Solution | None = None
        try:
            solution = asked.solution
        except NotApplicable:  # no equilibrium to hold it against, but the reply may need none
            if any(name not in known for name in names if name != replier):
                raise
        answer = questions.best_reply(known, replier, solution=solution)
        if replier not in known:
            return answer
        source = path if replier in given else asked.file
        return replace(answer, whose=f"strategy in {source}")

    def question(replier: str) -> Question:
        return Question("reply", replier, lambda asked: reply(asked, replier))

    return [question(replier) for replier in repliers]


# ---------------------------------------------------------------------- where nothing was asked


@dataclass(frozen=True, repr=False)
class Overview(Answer):
    """The value of the game, its outcomes, what is never reached, and who could gain."""

    strategies: Strategies
    most: int

    @property
    def numbers(self) -> dict[str, Any]:
        """Payoffs and regrets, and how many sets no play comes to."""
        subject = self.strategies.subject
        value = subject.value if isinstance(subject, Solution) else None
        missed = len(questions.unreached(subject).sets)
        known = {"value": value, "payoffs": subject.payoffs, "regrets": subject.regrets}
        return {**known, "unreached": missed}

    @property
    def table(self) -> Sheet:
        """The facts, with what each would gain if they are a file's; then the likeliest plays."""
        subject = self.strategies.subject
        facts = [("strategies", self.strategies.source)]
        if isinstance(subject, Solution) and subject.value is not None:
            facts.append(("value", amount_text(subject.value, subject.exact)))
        if isinstance(subject, Profile):
            facts += _gains(subject)
        else:
            facts += [
                (name, amount_text(paid, subject.exact)) for name, paid in subject.payoffs.items()
            ]
        missed = questions.unreached(subject)
        by = ", ".join(
            f"{count:,} by {WHOSE[whose]}" for whose, count in missed.by.items() if count
        )
        told = f"{len(missed.sets):,} of {missed.count:,} information sets"
        facts.append(("never reached", f"{told} ({by})" if by else told))
        likely = questions.plays(subject, self.most).table
        return Sheet(self.strategies.tree.name, [likely], tuple(facts))


def _gains(played: Profile) -> list[tuple[str, str]]:
    """What each player gets, what it would gain by a best reply, and whether anyone would."""
    least = 0 if played.exact else rounding(played.tree)
    facts, gains = [], False
    for name, paid in played.payoffs.items():
        best = played.responses[name].value
        more = "its best reply gains nothing"
        if best - paid > least:
            gains = True
            gain = f"which gains {amount_text(best - paid, played.exact)}"
            more = f"its best reply gets {amount_text(best, played.exact)}, {gain}"
        facts.append((name, f"{amount_text(paid, played.exact)}; {more}"))
    regret = amount_text(played.regret, played.exact)
    off = f"no: the regret is {regret}" if gains else f"not proved: the regret is at most {regret}"
    return [*facts, ("equilibrium", "yes" if played.regret <= least else off)]


def overview(most: int) -> Question:
    """The question that is answered where none was asked."""
    return Question("overview", "", lambda asked: Overview(asked, min(most, FEW_PLAYS)))


# ---------------------------------------------------------------------- the answers


@dataclass(frozen=True)
class Answers:
    """The answers to all questions."""

    strategies: Strategies
    found: list[tuple[Question, Answer]]
    output: AskOutput
    asked: bool  # was there a question?

    def files(self) -> Sequence[Writing]:
        """The tables and the best reply."""
        return (
            ("the tables", self.output.table, lambda path: self._together().save(path)),
            ("the reply", self.output.csv, self._write_replies),
        )

    def _write_replies(self, path: Path) -> None:
        found = (answer for _, answer in self.found)
        write_strategies(path, [one.strategy for one in found if isinstance(one, BestReply)])

    def _together(self) -> Table | Sheet:
        """All answers as one, for a file."""
        if len(self.found) == 1:
            return self.found[0][1].table
        tables: list[Table] = []
        for _, answer in self.found:
            sheet = answer.table
            if isinstance(sheet, Table):
                tables.append(sheet)
                continue
            columns = (Column("fact"), Column("value"))
            tables.append(Table(sheet.title, columns, sheet.facts, sheet.note))
            for table in sheet.tables:
                title = f"{sheet.title}: {table.title}" if table.title else sheet.title
                tables.append(replace(table, title=title))
        return Sheet(self.strategies.tree.name, tables)

    def notes(self) -> str:
        """Nothing more."""
        return ""

    def text(self) -> str:
        """All answers for the terminal; where nothing was asked, with what can be."""
        style, most = terminal(), self.output.rows or MOST_ROWS
        texts = [answer.table.text(most=most, **style) for _, answer in self.found]
        if not self.asked:
            texts.append("\n".join(wrapped(CAN_BE_ASKED, style["width"] or A_LINE)))
        told = [f"note: {note}" for note in self.strategies.notes]
        if style["width"]:
            told = [line for note in told for line in wrapped(note, style["width"])]
        notes = "\n".join(told)
        return "\n\n".join([notes, *texts] if notes else texts)

    def record(self) -> dict[str, Any]:
        """All that is known, as one JSON object; exact numbers as texts ``p/q``."""
        told = []
        for question, answer in self.found:
            table = answer.table
            sheet = table if isinstance(table, Sheet) else Sheet(table.title, [table])
            told.append(
                {
                    "question": question.kind,
                    "about": question.about,
                    "numbers": _exactly(answer.numbers),
                    **sheet.records(),
                }
            )
            if isinstance(answer, BestReply):
                told[-1]["strategy"] = strategy_record(answer.strategy.behaviour())
        return {
            "game": self.strategies.tree.name,
            "players": list(self.strategies.tree.names),
            "strategies": self.strategies.source,
            "notes": self.strategies.notes,
            "answers": told,
        }


def _exactly(value: Any) -> Any:
    """Numbers as JSON has them."""
    if isinstance(value, dict):
        return {name: _exactly(entry) for name, entry in value.items()}
    return spelled(value) if isinstance(value, Fraction) else value


command = Command("ask", AskRequest, ask)
