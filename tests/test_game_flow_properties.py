"""Whatever comes, in whatever order: the flow never fails, never spins, and sends nothing illegal."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import (
    ConnectionTroubleError,
    LichessError,
    RateLimitedError,
    RefusedError,
    ServerTroubleError,
)
from bot.events import OpponentGone, Unreadable
from bot.game_flow import next_wake, step
from bot.game_knowledge import Flow, FlowSettings
from bot.game_messages import (
    Action,
    Ask,
    Chose,
    Committed,
    FinishReported,
    GameMessage,
    MoveAnswered,
    PostMove,
    Role,
    ThinkerFailed,
    Tick,
    TurnReported,
)
from bot.position import replay
from bot.stream_reader import StreamLost, StreamOpened
from tests.flow_kit import BOT, RIVAL, full, state

LINE = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"]
ERRORS: tuple[LichessError | None, ...] = (
    None,
    ConnectionTroubleError("reset"),
    ServerTroubleError("bad gateway", status=502),
    RateLimitedError("slow down", retry_after_s=None),
    RefusedError("Not your turn, or game already over", status=400),
)

plies = st.integers(0, len(LINE))
ROLES: tuple[Role, ...] = ("strategy", "fallback")
roles = st.sampled_from(ROLES)
moves = st.sampled_from([*LINE, "e2e5", "a2a3", "h7h6", "", "0000"])
#: Relative to the newest ask: usually that one, sometimes an older one.
ask_ids = st.sampled_from([0, 0, 0, -1, -2])


@dataclass(frozen=True)
class Late:
    """A message about an ask, by its distance from the newest."""

    kind: str
    role: Role
    offset: int
    move: str
    error: LichessError | None


def states(ply: int, ms: int, status: str) -> GameMessage:
    return state(" ".join(LINE[:ply]), ms=ms, status=status)


def fulls(ply: int, ms: int) -> GameMessage:
    return full(" ".join(LINE[:ply]), ms=ms)


ms_left = st.sampled_from([180_000, 5_000, 700, 10, 0])
news = st.one_of(
    st.builds(states, plies, ms_left, st.sampled_from(["started", "started", "started", "mate", "aborted"])),
    st.builds(fulls, plies, ms_left),
    st.builds(Late, st.sampled_from(["chose", "committed", "failed", "died", "answered", "answered"]),
              roles, ask_ids, moves, st.sampled_from(ERRORS)),
    st.just(StreamLost("reset", 0.5)),
    st.just(StreamOpened()),
    st.just(Unreadable("not JSON")),
    st.builds(OpponentGone, st.booleans(), st.sampled_from([None, 0, 9])),
    st.builds(FinishReported, st.just("mate"), st.booleans()),
    st.builds(TurnReported, st.floats(0.0, 2_000.0)),
    st.just(Tick()),
)  # fmt: skip


def message_of(item: GameMessage | Late, flow: Flow) -> GameMessage:
    if not isinstance(item, Late):
        return item
    ask_id = flow.last_ask_id + item.offset
    role = item.role
    match item.kind:
        case "chose":
            return Chose(role, ask_id, item.move)
        case "committed":
            return Committed(role, ask_id, item.move)
        case "answered":
            return MoveAnswered(ask_id, item.error, 20)
        case _:
            return ThinkerFailed(role, ask_id, "exit code 3", died=item.kind == "died")


class Judge:
    """Holds the flow to its promises, action by action."""

    def __init__(self) -> None:
        self.flow = Flow("Ab3dEf7h", FlowSettings("knight", abort_unmoved_after_s=30))
        self.now = 0.0
        self.under_way: set[int] = set()

    def hear(self, message: GameMessage) -> None:
        over_before = self.flow.over
        if isinstance(message, MoveAnswered):
            if message.ask_id not in self.under_way:
                return  # the sender answers each request once, and only requests
            self.under_way.discard(message.ask_id)
        self.flow, actions = step(self.flow, message, self.now)
        assert over_before is None or actions == ()
        for action in actions:
            self.check(action)

    def check(self, action: Action) -> None:
        match action:
            case PostMove(ask_id, move, ply):
                assert self.flow.full is not None
                assert self.flow.state is not None
                assert ply == len(self.flow.state.moves), "never into another position"
                board = replay("standard", "startpos", self.flow.state.moves)
                assert move in [legal.uci() for legal in board.legal_moves]
                assert ask_id not in self.under_way, "one request at a time"
                self.under_way.add(ask_id)
            case Ask(_, _, facts):
                assert facts.board().turn == (facts.color == "white"), "only when it is our turn"
            case _:
                pass

    def pass_time(self, seconds: float) -> None:
        end = self.now + seconds
        for _ in range(200):
            wake_at = next_wake(self.flow)
            if wake_at is None or wake_at > end:
                self.now = end
                return
            self.now = max(self.now, wake_at)
            self.hear(Tick())
        raise AssertionError(f"the flow spins: it wants to be woken at {wake_at} again and again")


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(news, st.sampled_from([0.0, 0.0, 0.3, 6.0, 40.0])), max_size=40))
def test_any_sequence_of_messages_keeps_the_promises(items: list[tuple[GameMessage | Late, float]]) -> None:
    judge = Judge()
    for item, pause_s in items:
        judge.hear(message_of(item, judge.flow))
        judge.pass_time(pause_s)


@settings(max_examples=100, deadline=None)
@given(
    ms=st.integers(2_000, 600_000),
    answers=st.lists(st.sampled_from(["silent", "crash", "illegal", "in time"]), min_size=2, max_size=2),
)
def test_a_move_is_on_its_way_before_the_flag_whatever_the_strategies_do(ms: int, answers: list[str]) -> None:
    judge = Judge()
    judge.hear(full("e2e4 e7e5", ms=ms, white=BOT, black=RIVAL))
    for role, answer in zip(ROLES, answers, strict=True):
        debt = judge.flow.debt
        if debt is None or debt.stage != role:
            continue
        match answer:
            case "crash":
                judge.hear(ThinkerFailed(role, debt.ask_id, "exit code 3", died=True))
            case "illegal":
                judge.hear(Chose(role, debt.ask_id, "a1a8"))
            case "in time":
                judge.hear(Chose(role, debt.ask_id, "g1f3"))
            case _:
                judge.pass_time(debt.deadline - judge.now)
    judge.pass_time(0.0)
    assert judge.under_way, "a move was sent"
    assert judge.now < ms / 1000, "before the flag"
