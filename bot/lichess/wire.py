"""Lines of Lichess's streams → events. Pure, and never an exception: an odd line becomes `Unreadable`.

Liberal in what it takes. Needed are only those fields without which an event means nothing:

    gameStart, gameFinish   a game id
    challenge...            the challenge's id and a time control of a known kind
    gameFull                the game id, and a readable `state`
    gameState               `moves`: taking an absent list for an empty one would play on the wrong position
    chatLine                `text`
    opponentGone            nothing: without `gone` nobody is gone

Every other field falls back to what its absence means on Lichess: no flag, no winner, status started, no
clock (UNLIMITED_MS), standard rules, the variant's own start. Source: Lichess API description 2.0.165.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.events import (
    UNLIMITED_MS,
    AccountEvent,
    Challenge,
    ChallengeCanceled,
    ChallengeDeclined,
    ChallengeReceived,
    ChatLine,
    Correspondence,
    GameEvent,
    GameFinish,
    GameFull,
    GameInfo,
    GameStart,
    GameState,
    KeepAlive,
    OpponentGone,
    RealTime,
    TimeControl,
    Unlimited,
    Unreadable,
)
from bot.lichess import fields
from bot.lichess.fields import Raw, UnreadableError


def parse_account_line(line: Raw) -> AccountEvent:
    """One line of `GET /api/stream/event`."""
    if _is_blank(line):
        return KeepAlive()
    kind = None
    try:
        raw = fields.decode(line)
        kind = fields.text(raw, "type")
        match kind:
            case "gameStart":
                return GameStart(_game_info(fields.need_child(raw, "game")))
            case "gameFinish":
                return GameFinish(_game_info(fields.need_child(raw, "game")))
            case "challenge":
                challenge = _challenge(fields.need_child(raw, "challenge"))
                return ChallengeReceived(challenge, _bot_compatible(raw))
            case "challengeCanceled":
                return ChallengeCanceled(_challenge(fields.need_child(raw, "challenge")))
            case "challengeDeclined":
                declined = fields.need_child(raw, "challenge")
                return ChallengeDeclined(
                    _challenge(declined),
                    reason=fields.text(declined, "declineReason"),
                    reason_key=fields.text(declined, "declineReasonKey"),
                )
        return _unknown(raw)
    except UnreadableError as error:
        return Unreadable(str(error), harmless=kind is not None and kind.startswith("challenge"))


def parse_game_line(line: Raw) -> GameEvent:
    """One line of `GET /api/bot/game/stream/{gameId}`."""
    if _is_blank(line):
        return KeepAlive()
    kind = None
    try:
        raw = fields.decode(line)
        kind = fields.text(raw, "type")
        match kind:
            case "gameFull":
                return _game_full(raw)
            case "gameState":
                return _game_state(raw)
            case "chatLine":
                return ChatLine(
                    room=fields.text(raw, "room") or "player",
                    username=fields.text(raw, "username") or "",
                    text=fields.need_text(raw, "text"),
                )
            case "opponentGone":
                return OpponentGone(fields.flag(raw, "gone"), fields.count(raw, "claimWinInSeconds"))
        return _unknown(raw)
    except UnreadableError as error:
        return Unreadable(str(error), harmless=kind == "chatLine")


def parse_game_info(raw: object) -> GameInfo | Unreadable:
    """A game as `gameStart` and `GET /api/account/playing` describe it (there without a status)."""
    if not isinstance(raw, Mapping):
        return Unreadable(f"not a game: {fields.show(raw)}")
    try:
        return _game_info(raw)
    except UnreadableError as error:
        return Unreadable(str(error))


def _is_blank(line: Raw) -> bool:
    return isinstance(line, bytes | str) and not line.strip()


def _unknown(raw: Mapping[str, object]) -> Unreadable:
    """Harmless if it has a type, which is then one that we have no use for."""
    kind = raw.get("type")
    return Unreadable(f"an event of unknown type {fields.show(kind)}", harmless=isinstance(kind, str))


# --- the account's events -------------------------------------------------------------------------------


def _game_info(raw: Mapping[str, object]) -> GameInfo:
    return GameInfo(
        id=fields.need_id(raw, "gameId", "id"),
        # Said in every event known; should it be missing, the game's own stream still tells the side.
        color=fields.side(raw, "color") or "white",
        opponent=fields.player(raw, "opponent") or fields.ANONYMOUS,
        variant=_variant(raw) or "standard",
        speed=fields.text(raw, "speed") or "unknown",
        rated=fields.flag(raw, "rated"),
        status=fields.name_of(raw, "status", inner="name") or "started",
        fen=fields.text(raw, "fen") or None,
        source=fields.text(raw, "source"),
        is_my_turn=fields.flag(raw, "isMyTurn"),
        has_moved=fields.flag(raw, "hasMoved"),
        seconds_left=fields.count(raw, "secondsLeft"),
        winner=fields.side(raw, "winner"),
        tournament_id=fields.text(raw, "tournamentId"),
        bot_compatible=_bot_compatible(raw),
    )


def _challenge(raw: Mapping[str, object]) -> Challenge:
    return Challenge(
        id=fields.need_id(raw, "id"),
        status=fields.text(raw, "status") or "created",
        challenger=fields.player(raw, "challenger"),
        dest=fields.player(raw, "destUser"),
        variant=_variant(raw) or "unknown",  # never taken for standard: a policy is to judge it
        rated=fields.flag(raw, "rated"),
        speed=fields.text(raw, "speed") or "unknown",
        time_control=_time_control(fields.need_child(raw, "timeControl")),
        color=fields.color(raw, "color"),
        final_color=fields.side(raw, "finalColor"),
        initial_fen=fields.text(raw, "initialFen") or None,
        rematch_of=fields.text(raw, "rematchOf"),
        rules=fields.texts(raw, "rules"),
    )


def _time_control(raw: Mapping[str, object]) -> TimeControl:
    match fields.text(raw, "type"), fields.count(raw, "limit"), fields.count(raw, "daysPerTurn"):
        case "clock", int(limit_s), _:
            return RealTime(limit_s, fields.count(raw, "increment") or 0)
        case "correspondence", _, int(days):
            return Correspondence(days)
        case "unlimited", _, _:
            return Unlimited()
    raise UnreadableError(f"no time control that is known: {fields.show(dict(raw))}")


def _variant(raw: Mapping[str, object]) -> str | None:
    return fields.name_of(raw, "variant", inner="key")


def _bot_compatible(raw: Mapping[str, object]) -> bool | None:
    compatible = fields.child(raw, "compat").get("bot")
    return compatible if isinstance(compatible, bool) else None


# --- a game's events -------------------------------------------------------------------------------------


def _game_full(raw: Mapping[str, object]) -> GameFull:
    clock = fields.child(raw, "clock")
    return GameFull(
        id=fields.need_id(raw, "id", "gameId"),
        variant=_variant(raw) or "standard",
        speed=fields.text(raw, "speed") or "unknown",
        rated=fields.flag(raw, "rated"),
        white=fields.player(raw, "white") or fields.ANONYMOUS,
        black=fields.player(raw, "black") or fields.ANONYMOUS,
        initial_fen=fields.text(raw, "initialFen") or "startpos",
        state=_game_state(fields.need_child(raw, "state")),
        clock_initial_ms=fields.millis(clock, "initial"),
        clock_increment_ms=fields.millis(clock, "increment"),
        days_per_turn=fields.count(raw, "daysPerTurn"),
        created_at_ms=fields.count(raw, "createdAt") or 0,
        tournament_id=fields.text(raw, "tournamentId"),
    )


def _game_state(raw: Mapping[str, object]) -> GameState:
    return GameState(
        moves=tuple(fields.need_text(raw, "moves").split()),
        wtime_ms=_clock(raw, "wtime"),
        btime_ms=_clock(raw, "btime"),
        winc_ms=fields.millis(raw, "winc") or 0,
        binc_ms=fields.millis(raw, "binc") or 0,
        status=fields.name_of(raw, "status", inner="name") or "started",
        winner=fields.side(raw, "winner"),
        wdraw=fields.flag(raw, "wdraw"),
        bdraw=fields.flag(raw, "bdraw"),
        wtakeback=fields.flag(raw, "wtakeback"),
        btakeback=fields.flag(raw, "btakeback"),
        rematch=fields.text(raw, "rematch"),
    )


def _clock(raw: Mapping[str, object], key: str) -> int:
    value = fields.millis(raw, key)
    return UNLIMITED_MS if value is None else value
