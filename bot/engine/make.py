"""Making a move on the record's board, and taking it back."""

from __future__ import annotations

from bot.engine.attacks import KING, PAWN, ROOK, bit
from bot.engine.intrinsics import lsb
from bot.engine.jit import INT64, UINT64, VOID, Bits, U, compiled
from bot.engine.moves import CASTLING, IN_PASSING, captured, from_square, mover, promotion, to_square
from bot.engine.state import STATE_T, State

_FIRST_RANK = U(0xFF)


@compiled(UINT64(INT64), inline=True)
def home_rank(colour: int) -> Bits:
    """The first rank of a colour."""
    return _FIRST_RANK << U(56 * (1 - colour))


@compiled(VOID(STATE_T, INT64, INT64, INT64), inline=True)
def _put_back(S: State, colour: int, piece_type: int, square: int) -> None:
    """Put a man on an empty square, or take it away: sets, but neither `board` nor keys."""
    here = bit(square)
    S.men[colour, piece_type] ^= here
    S.own[colour] ^= here


@compiled(VOID(STATE_T, INT64, INT64, INT64), inline=True)
def _toggle(S: State, colour: int, piece_type: int, square: int) -> None:
    """The same, with the keys."""
    _put_back(S, colour, piece_type, square)
    number = S.zobrist.men[colour, piece_type, square]
    S.key ^= number
    if piece_type in (PAWN, KING):
        S.pawn_key ^= number
    if piece_type != PAWN:
        S.piece_keys[colour] ^= number


@compiled(VOID(STATE_T), inline=True)
def _remember(S: State) -> None:
    """Note what taking the next move back needs."""
    past = S.past[S.height]
    past.key = S.key
    past.pawn_key = S.pawn_key
    past.piece_keys[0] = S.piece_keys[0]
    past.piece_keys[1] = S.piece_keys[1]
    past.castling = S.castling
    past.en_passant = S.en_passant
    past.halfmoves = S.halfmoves
    past.placed = S.placed
    S.height += 1


@compiled(VOID(STATE_T), inline=True)
def _recall(S: State) -> None:
    """Restore what was noted last."""
    S.height -= 1
    past = S.past[S.height]
    S.key = past.key
    S.pawn_key = past.pawn_key
    S.piece_keys[0] = past.piece_keys[0]
    S.piece_keys[1] = past.piece_keys[1]
    S.castling = past.castling
    S.en_passant = past.en_passant
    S.halfmoves = past.halfmoves
    S.placed = past.placed


@compiled(VOID(STATE_T), inline=True)
def _pass_turn(S: State) -> None:
    """The other side is to move, and what could be taken in passing no longer can."""
    if S.en_passant >= 0:
        S.key ^= S.zobrist.en_passant[S.en_passant]
        S.en_passant = -1
    S.turn ^= 1
    S.key ^= S.zobrist.white_to_move


@compiled(VOID(STATE_T, INT64, INT64, INT64, INT64), inline=True)
def _castle(S: State, king_from: int, rook_from: int, king_to: int, rook_to: int) -> None:
    """Move both, each of which may stand where the other goes to."""
    colour = S.turn
    _toggle(S, colour, KING, king_from)
    _toggle(S, colour, ROOK, rook_from)
    S.board[king_from] = 0
    S.board[rook_from] = 0
    _toggle(S, colour, KING, king_to)
    _toggle(S, colour, ROOK, rook_to)
    S.board[king_to] = KING + 8 * colour
    S.board[rook_to] = ROOK + 8 * colour


@compiled(INT64(INT64, INT64), inline=True)
def castled_king(king: int, rook: int) -> int:
    """Where the king goes when it castles with this rook: the c- or g-file."""
    return king & 56 | (6 if rook > king else 2)


@compiled(INT64(INT64, INT64), inline=True)
def castled_rook(king: int, rook: int) -> int:
    """Where the rook goes: the d- or f-file."""
    return king & 56 | (5 if rook > king else 3)


@compiled(VOID(STATE_T, INT64))
def make(S: State, move: int) -> None:
    """Play a legal move."""
    _remember(S)
    us = S.turn
    start, end, man = from_square(move), to_square(move), mover(move)
    taken = captured(move)
    S.halfmoves += 1
    lost_rights = S.castling & (bit(start) | bit(end))
    if man == KING and S.castling:
        lost_rights |= S.castling & home_rank(us)
    if move & CASTLING:
        king_end, rook_end = castled_king(start, end), castled_rook(start, end)
        _castle(S, start, end, king_end, rook_end)
        S.placed += S.w.placed[us, KING, king_end] - S.w.placed[us, KING, start]
        S.placed += S.w.placed[us, ROOK, rook_end] - S.w.placed[us, ROOK, end]
    else:
        if taken:
            place = end if move & IN_PASSING == 0 else end ^ 8
            _toggle(S, us ^ 1, taken, place)
            S.board[place] = 0
            S.placed -= S.w.placed[us ^ 1, taken, place]
            S.halfmoves = 0
        _toggle(S, us, man, start)
        S.board[start] = 0
        becomes = promotion(move)
        if becomes == 0:
            becomes = man
        _toggle(S, us, becomes, end)
        S.board[end] = becomes + 8 * us
        S.placed += S.w.placed[us, becomes, end] - S.w.placed[us, man, start]
    S.occupied = S.own[0] | S.own[1]
    S.castling ^= lost_rights
    while lost_rights:
        S.key ^= S.zobrist.castling[lsb(lost_rights)]
        lost_rights &= lost_rights - U(1)
    S.fullmove += 1 - us
    _pass_turn(S)
    if man == PAWN:
        S.halfmoves = 0
        passed_over = (start + end) >> 1
        if start ^ end == 16 and S.attacks.pawn[us, passed_over] & S.men[us ^ 1, PAWN]:
            S.en_passant = passed_over
            S.key ^= S.zobrist.en_passant[passed_over]


@compiled(VOID(STATE_T, INT64))
def unmake(S: State, move: int) -> None:
    """Take back the move that was made last."""
    S.turn ^= 1
    us = S.turn
    start, end, man = from_square(move), to_square(move), mover(move)
    taken = captured(move)
    S.fullmove -= 1 - us
    if move & CASTLING:
        _castle(S, castled_king(start, end), castled_rook(start, end), start, end)
    else:
        becomes = promotion(move)
        if becomes == 0:
            becomes = man
        _put_back(S, us, becomes, end)
        S.board[end] = 0
        _put_back(S, us, man, start)
        S.board[start] = man + 8 * us
        if taken:
            place = end if move & IN_PASSING == 0 else end ^ 8
            _put_back(S, us ^ 1, taken, place)
            S.board[place] = taken + 8 * (us ^ 1)
    S.occupied = S.own[0] | S.own[1]
    _recall(S)


@compiled(VOID(STATE_T))
def make_null(S: State) -> None:
    """Let the side to move pass. Nothing before it counts as repeated after it."""
    _remember(S)
    S.halfmoves = 0
    _pass_turn(S)


@compiled(VOID(STATE_T))
def unmake_null(S: State) -> None:
    """Take back a pass."""
    S.turn ^= 1
    _recall(S)
