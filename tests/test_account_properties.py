"""Whatever Lichess writes on the event stream, the account goes on: it never fails, and never goes deaf."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from bot.account import Account
from bot.account_messages import AcceptChallenge, Leave, SessionEnded, StartSession, Tick
from bot.events import ChallengeReceived
from bot.lichess.wire import parse_account_line
from bot.settings import ChallengeSettings, GameSettings
from bot.stream_reader import StreamLost, StreamOpened
from tests.lichess.test_wire_any_line import damaged, shuffled
from tests.lichess.wire_lines import CHALLENGE, START, line

LINES = st.one_of(
    damaged(),
    shuffled().map(lambda event: json.dumps(event).encode()),
    st.sampled_from([b"", line(START), line(CHALLENGE)]),
)
GAMES = 2


@given(lines=st.lists(st.tuples(LINES, st.sampled_from([0.0, 0.1, 31.0, 400.0])), max_size=30))
def test_any_lines_in_any_order_leave_an_account_that_listens(lines: list[tuple[bytes, float]]) -> None:
    settings = (
        ChallengeSettings(variants=("standard", "chess960")),
        GameSettings(max_simultaneous=GAMES, max_per_opponent=GAMES),
    )
    bot, now = Account("shifty", *settings, 60.0), 0.0
    for wire, pause_s in lines:
        for message in (StreamOpened(), parse_account_line(wire), StreamLost("reset", 1.0), Tick()):
            commands = bot.step(message, now)
            assert not any(isinstance(command, Leave) for command in commands)
            accepted = [command for command in commands if isinstance(command, AcceptChallenge)]
            assert len(bot.slots) <= GAMES or not accepted, "never more promises than slots"
            for command in commands:
                if isinstance(command, StartSession):
                    assert command.game.id in bot.slots
        now += pause_s
    for game_id in list(bot.slots):
        bot.step(SessionEnded(game_id, "mate"), now)
    bot.step(Tick(), now + 1000.0)
    assert bot.slots == {}, "every slot comes back"
    event = parse_account_line(line(CHALLENGE))
    assert isinstance(event, ChallengeReceived)
    assert any(isinstance(command, AcceptChallenge) for command in bot.step(event, now + 1000.0)), "not deaf"
