"""Everything the server says on the wire, held against the API description Lichess publishes.

Where that description and Lichess's known behaviour disagree, the server follows the behaviour. Each such
place is named in `DEVIATIONS` with its reason, and must occur, so that none outlives its cause.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from bot.local_lichess import LocalLichess
from bot.local_lichess.http import ENDPOINTS
from bot.timing.clock import VirtualClock
from tests.local_lichess.spec_kit import EVENT_SCHEMAS, ROOT_FILE, SPEC, Recorder, listed_fields
from tests.local_lichess.wire_kit import Client

pytestmark = pytest.mark.skipif(
    not ROOT_FILE.exists(), reason=f"the Lichess API description is not at {SPEC}: nothing to compare with"
)


@dataclass(frozen=True)
class Deviation:
    """What the description complains of: in which answers, where in them, and why it stands."""

    what: str  # regular expression for "METHOD path status" or "event type"
    complaint: str  # regular expression for "place: complaint"
    reason: str


DEVIATIONS = (
    Deviation(
        "event gameFull",
        "(white|black): '(id|name)' is a required property",
        "the server's own AI is shown by its level alone",
    ),
    Deviation(
        "GET /api/account/playing 200",
        r"nowPlaying/\d+/status: .* is not (of type 'string'|one of .*)",
        "the entries have the shape of gameStart, where status is an object",
    ),
    Deviation(
        "GET /api/account/playing 200",
        r"nowPlaying/\d+: 'secondsLeft' is a required property",
        "a game without a clock has no seconds left",
    ),
    Deviation(
        "POST .* 400",
        "error: .* is not of type 'string'",
        "a form that does not validate has its faults, by field, under error",
    ),
)

#: Answers the description does not list at all.
UNDESCRIBED = {
    "DELETE /api/token 204": "no body",
    "POST /api/bot/game/{gameId}/berserk 400": "the description knows berserk for humans only",
    "POST /api/bot/game/{gameId}/castle 404": "an unknown command",
}

#: Fields the description does not list for these objects, and what they are.
UNLISTED = {
    ("ChallengeJson", "rules"): "what the challenger asked for besides",
    ("ChallengeDeclinedJson", "declineReason"): "listed with the declined challenge",
    ("ChallengeDeclinedJson", "declineReasonKey"): "listed with the declined challenge",
}

BLITZ = {"clock.limit": 180, "clock.increment": 2, "color": "white"}
HORDE = {**BLITZ, "variant": "horde", "rated": "true"}
VARIANTS: tuple[dict[str, Any], ...] = (
    {**BLITZ, "variant": "chess960"},
    {**BLITZ, "fen": "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"},
    {**BLITZ, "variant": "crazyhouse"},
    HORDE,
    {**BLITZ, "variant": "threeCheck"},
    {"clock.limit": 30, "clock.increment": 0, "color": "white"},
    {"days": 3, "color": "white"},
    {"color": "white"},
)
BOT_GAME = "/api/bot/game/{gameId}"
BOARD_GAME = "/api/board/game/{gameId}"


class Run:
    """One server, a bot and two humans; every kind of answer and event once at least."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.recorder = Recorder()
        with LocalLichess(clock=self.clock) as server:
            self.server = server
            self.knight = self._add("Knight", "BOT", rating=1902)
            self.rival = self._add("Rival", provisional=True)
            self.fresh = self._add("Fresh", None, ("bot:play",))
            with self.knight, self.rival, self.fresh, Client(server.url) as self.nobody:
                self.recorder.stream(self.knight, "/api/stream/event")
                self.recorder.stream(self.rival, "/api/stream/event")
                self.people()
                self.challenges()
                self.a_game_to_mate()
                self.manners()
                self.absence()
                self.variants()
                self.against_the_ai()
                self.refusals()
                self.recorder.stream(self.rival, "/api/stream/event")  # a replay
            self.log = server.request_log()
        for stream in self.recorder.streams:
            stream.rest()

    def _add(self, name: str, *more: Any, **named: Any) -> Client:
        return Client(self.server.url, self.server.add_account(name, *more, **named).token)

    def people(self) -> None:
        ask = self.recorder
        ask.get(self.knight, "/api/account")
        ask.get(self.nobody, "/api/user/{username}", "knight")
        ask.get(self.nobody, "/api/users/status", query="?ids=knight,rival,ghost")
        ask.get(self.nobody, "/api/bot/online")
        ask.post(self.nobody, "/api/token/test", data="lip_bad,lip_worse")
        ask.post(self.rival, "/api/rel/follow/{username}", "knight")
        ask.post(self.fresh, "/api/bot/account/upgrade")
        ask.get(self.fresh, "/api/account/playing")
        ask.post(self.rival, "/api/rel/unfollow/{username}", "fresh")
        ask.ask(self.fresh, "DELETE", "/api/token")

    def challenge(self, form: dict[str, Any]) -> str:
        self.clock.advance(60)  # credits for the next one
        return str(self.recorder.post(self.rival, "/api/challenge/{username}", "knight", data=form)["id"])

    def challenges(self) -> None:
        ask = self.recorder
        declined, withdrawn = self.challenge(BLITZ), self.challenge({"days": 2})
        ask.get(self.knight, "/api/challenge")
        ask.get(self.rival, "/api/challenge/{challengeId}/show", declined)
        ask.post(self.knight, "/api/challenge/{challengeId}/decline", declined, json={"reason": "onlyBot"})
        ask.get(self.rival, "/api/challenge/{challengeId}/show", declined)
        ask.post(self.rival, "/api/challenge/{challengeId}/cancel", withdrawn)
        to_human = {**BLITZ, "rules": "noAbort,noRematch"}
        ask.post(self.knight, "/api/challenge/{username}", "rival", json=to_human)

    def game(self, form: dict[str, Any]) -> str:
        game_id = self.challenge(form)
        self.recorder.post(self.knight, "/api/challenge/{challengeId}/accept", game_id)
        return game_id

    def play(self, game_id: str, moves: str) -> None:
        for uci in moves.split():
            white = self.server.game(game_id).ply % 2 == 0
            client, base = (self.rival, BOARD_GAME) if white else (self.knight, BOT_GAME)
            self.clock.advance(1)
            self.recorder.post(client, f"{base}/move/{{move}}", game_id, uci)

    def a_game_to_mate(self) -> None:
        game_id = self.game({**BLITZ, "rated": "true"})
        self.recorder.stream(self.knight, f"/api/bot/game/stream/{game_id}")
        self.recorder.get(self.knight, "/api/account/playing")
        self.recorder.get(self.nobody, "/api/user/{username}", "rival")
        self.play(game_id, "f2f3 e7e5 g2g4 d8h4")
        self.recorder.stream(self.knight, f"/api/bot/game/stream/{game_id}")  # of a game that is over
        for accept in ("application/x-chess-pgn", "application/json"):
            self.recorder.get(self.nobody, "/game/export/{gameId}", game_id, headers={"Accept": accept})

    def manners(self) -> None:
        ask, game_id = self.recorder, self.game(BLITZ)
        ask.stream(self.knight, f"/api/bot/game/stream/{game_id}")
        ask.stream(self.rival, f"/api/board/game/stream/{game_id}")
        self.play(game_id, "e2e4 e7e5 g1f3")
        ask.post(self.knight, f"{BOT_GAME}/chat", game_id, json={"room": "player", "text": "hello"})
        ask.post(self.rival, f"{BOARD_GAME}/chat", game_id, data={"room": "spectator", "text": "hi"})
        ask.get(self.knight, f"{BOT_GAME}/chat", game_id)
        ask.get(self.rival, f"{BOARD_GAME}/chat", game_id)
        for answer in ("no", "yes"):
            ask.post(self.rival, f"{BOARD_GAME}/takeback/{{accept}}", game_id, "yes")
            ask.post(self.knight, f"{BOT_GAME}/takeback/{{accept}}", game_id, answer)
            self.clock.advance(20)
        self.play(game_id, "g1f3")
        ask.post(self.rival, "/api/round/{gameId}/add-time/{seconds}", game_id, 15)
        ask.post(self.rival, f"{BOARD_GAME}/draw/{{accept}}", game_id, "yes")
        ask.post(self.knight, f"{BOT_GAME}/draw/{{accept}}", game_id, "yes")
        for ending in ("abort", "resign"):
            unplayed = self.game(BLITZ)
            ask.post(self.knight, f"{BOT_GAME}/{ending}", unplayed)
            unplayed = self.game(BLITZ)
            ask.post(self.rival, f"{BOARD_GAME}/{ending}", unplayed)

    def absence(self) -> None:
        ask = self.recorder
        for claim in ("claim-victory", "claim-draw"):
            game_id = self.game(BLITZ)
            stream = ask.stream(self.knight, f"/api/bot/game/stream/{game_id}")
            self.play(game_id, "e2e4 e7e5")
            ask.post(self.knight, f"{BOT_GAME}/{claim}", game_id)
            for seconds in (10, 5, 40):
                self.clock.advance(seconds)
                stream.until("opponentGone")
            if claim == "claim-draw":
                theirs = ask.stream(self.rival, f"/api/board/game/stream/{game_id}")
                while stream.until("opponentGone")["gone"]:
                    pass
                theirs.close()
                self.server.wait_until(lambda: not self.is_here("rival", game_id))  # noqa: B023  called at once
                for seconds in (10, 5, 40):
                    self.clock.advance(seconds)
                    stream.until("opponentGone")
            ask.post(self.knight, f"{BOT_GAME}/{claim}", game_id)
            assert self.server.game(game_id).status == "timeout"
        game_id = self.game(BLITZ)
        ask.post(self.rival, f"{BOARD_GAME}/claim-victory", game_id)
        ask.post(self.rival, f"{BOARD_GAME}/claim-draw", game_id)

    def is_here(self, account_id: str, game_id: str) -> bool:
        room = self.server.lobby.rooms.find(game_id)
        assert room is not None
        return room.game.presence[self.server.game(game_id).side_of(account_id)].is_here

    def variants(self) -> None:
        for form in VARIANTS:
            game_id = self.game(form)
            self.recorder.stream(self.knight, f"/api/bot/game/stream/{game_id}").until("gameFull")
        self.recorder.get(self.knight, "/api/account/playing", query="?nb=50")
        self.recorder.get(
            self.nobody, "/game/export/{gameId}", game_id, headers={"Accept": "application/json"}
        )

    def against_the_ai(self) -> None:
        started = self.recorder.post(self.knight, "/api/challenge/ai", json={**BLITZ, "level": 3})
        stream = self.recorder.stream(self.knight, f"/api/bot/game/stream/{started['id']}")
        self.recorder.post(self.knight, f"{BOT_GAME}/move/{{move}}", started["id"], "e2e4")
        stream.until("gameState")
        self.recorder.post(self.knight, f"{BOT_GAME}/resign", started["id"])

    def refusals(self) -> None:
        ask = self.recorder
        ask.get(self.nobody, "/api/account")
        ask.get(self.nobody, "/api/user/{username}", "ghost")
        ask.get(self.nobody, "/game/export/{gameId}", "nosuchid")
        ask.post(self.rival, f"{BOT_GAME}/abort", "nosuchid")
        ask.post(self.knight, f"{BOT_GAME}/abort", "nosuchid")
        ask.post(self.knight, f"{BOT_GAME}/castle", "nosuchid")
        ask.post(self.knight, "/api/challenge/{challengeId}/accept", "nosuchid")
        ask.post(self.rival, "/api/challenge/{username}", "ghost", data=BLITZ)
        ask.post(self.rival, "/api/challenge/{username}", "knight", data={**BLITZ, "clock.limit": 7})
        game_id = self.game(BLITZ)
        ask.post(self.knight, f"{BOT_GAME}/move/{{move}}", game_id, "e7e5")
        ask.post(self.knight, f"{BOT_GAME}/berserk", game_id)
        for _ in range(31):
            ask.get(self.knight, "/api/account")
        self.clock.advance(60)
        for _ in range(6):
            ask.post(self.knight, "/api/challenge/{username}", "rival", json={**BLITZ, "rules": ""})


@pytest.fixture(scope="module")
def run() -> Run:
    return _run()


@cache
def _run() -> Run:
    return Run()


def test_nothing_is_said_that_the_description_does_not_allow(run: Run) -> None:
    complaints = {
        f"{said.what} at {complaint}"
        for said in [*run.recorder.said, *run.recorder.events()]
        for complaint in said.complaints()
        if _deviation(said.what, complaint) is None
    }
    assert complaints == set()


def test_every_deviation_occurs(run: Run) -> None:
    found = {
        _deviation(said.what, complaint)
        for said in [*run.recorder.said, *run.recorder.events()]
        for complaint in said.complaints()
    }
    assert found - {None} == set(DEVIATIONS)


def test_no_field_is_sent_that_the_description_does_not_list(run: Run) -> None:
    objects = {
        "challenge": ("challenge", "ChallengeJson"),
        "challengeCanceled": ("challenge", "ChallengeJson"),
        "challengeDeclined": ("challenge", "ChallengeDeclinedJson"),
        "gameStart": ("game", "GameEventInfo"),
        "gameFinish": ("game", "GameEventInfo"),
    }
    unlisted = set()
    for said in run.recorder.events():
        key, schema = objects.get(said.value["type"], (None, EVENT_SCHEMAS[said.value["type"]]))
        value = said.value if key is None else said.value[key]
        listed = listed_fields("ChallengeJson" if schema == "ChallengeDeclinedJson" else schema)
        unlisted |= {(schema, name) for name in set(value) - listed}
    assert unlisted == set(UNLISTED)


def test_every_kind_of_event_was_said(run: Run) -> None:
    assert {said.value["type"] for said in run.recorder.events()} == set(EVENT_SCHEMAS)


def test_every_endpoint_was_asked_and_answered_well(run: Run) -> None:
    answered = {entry.endpoint for entry in run.log if entry.status is not None and entry.status < 300}
    never_well = {"berserk", "unknown_command"}
    assert answered == {endpoint.name for endpoint in ENDPOINTS} - never_well


def test_what_the_description_does_not_mention_is_known(run: Run) -> None:
    assert run.recorder.undescribed == set(UNDESCRIBED)


def _deviation(what: str, complaint: str) -> Deviation | None:
    for deviation in DEVIATIONS:
        if re.fullmatch(deviation.what, what) and re.fullmatch(deviation.complaint, complaint, re.DOTALL):
            return deviation
    return None
