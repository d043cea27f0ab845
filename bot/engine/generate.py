"""The legal moves of a position, the noisy ones (captures and promotions) apart from the quiet ones.

A list is a stretch of `S.moves`. Functions that add to it take where it ends, and return where it ends then.
`checks` and `pins` are what `attacks.checkers` and `attacks.pinned` say of the position.
"""

from __future__ import annotations

from bot.engine.attacks import KING, KNIGHT, PAWN, QUEEN, attackers, attacks_of, bit, is_attacked
from bot.engine.intrinsics import lsb
from bot.engine.jit import BOOLEAN, INT64, UINT64, Bits, U, compiled
from bot.engine.make import castled_king, castled_rook, home_rank
from bot.engine.moves import CASTLING, IN_PASSING, NO_MOVE, encode
from bot.engine.state import STATE_T, State

_ALL = U(0xFFFF_FFFF_FFFF_FFFF)
_NOT_A, _NOT_H = U(0xFEFE_FEFE_FEFE_FEFE), U(0x7F7F_7F7F_7F7F_7F7F)
_OUTER_RANKS = U(0xFF00_0000_0000_00FF)
_THIRD_RANKS = (U(0xFF << 40), U(0xFF << 16))  # by colour


@compiled(INT64(STATE_T, INT64), inline=True)
def man_on(S: State, square: int) -> int:
    """The piece type on a square, 0 for none."""
    return S.board[square] & 7


@compiled(UINT64(STATE_T, UINT64), inline=True)
def _evasion_squares(S: State, checks: Bits) -> Bits:
    """Where a man other than the king may go to: anywhere, or where it ends the one check."""
    if checks == U(0):
        return _ALL
    if checks & (checks - U(1)):
        return U(0)
    return checks | S.attacks.between[lsb(S.men[S.turn, KING]), lsb(checks)]


@compiled(BOOLEAN(STATE_T, UINT64, INT64, INT64), inline=True)
def _keeps_pin(S: State, pins: Bits, start: int, end: int) -> bool:
    """Whether a man, if it is pinned, stays between its king and the enemy."""
    if pins & bit(start) == U(0):
        return True
    return bool(S.attacks.line[lsb(S.men[S.turn, KING]), start] & bit(end))


@compiled(BOOLEAN(STATE_T, INT64), inline=True)
def _passing_is_legal(S: State, start: int) -> bool:
    """Whether the king is safe once the pawn on `start` has taken in passing: two men leave one line."""
    us, end = S.turn, S.en_passant
    taken = bit(end ^ 8)
    occupied = (S.occupied ^ bit(start) ^ taken) | bit(end)
    return attackers(S, lsb(S.men[us, KING]), occupied) & S.own[us ^ 1] & ~taken == U(0)


@compiled(BOOLEAN(STATE_T, INT64, UINT64))
def castling_is_legal(S: State, rook: int, checks: Bits) -> bool:
    """Whether the side to move, which has the right to, can castle with the rook on this square now."""
    if checks:
        return False
    us = S.turn
    king = lsb(S.men[us, KING])
    king_to, rook_to = castled_king(king, rook), castled_rook(king, rook)
    others = S.occupied ^ bit(king) ^ bit(rook)
    king_way = S.attacks.between[king, king_to] | bit(king_to)
    rook_way = S.attacks.between[rook, rook_to] | bit(rook_to)
    if (king_way | rook_way) & others:
        return False
    while king_way:
        if is_attacked(S, lsb(king_way), us ^ 1, S.occupied ^ bit(king)):
            return False
        king_way &= king_way - U(1)
    return not is_attacked(S, king_to, us ^ 1, others | bit(rook_to))


@compiled(INT64(STATE_T, INT64, INT64, INT64), inline=True)
def _add_promotions(S: State, end: int, start: int, square: int) -> int:
    """The four promotions of a pawn, the queen first."""
    captured = man_on(S, square)
    for piece_type in range(QUEEN, PAWN, -1):
        S.moves[end] = encode(start, square, piece_type, PAWN, captured)
        end += 1
    return end


@compiled(INT64(STATE_T, INT64, UINT64, INT64, UINT64))
def _add_pawns(S: State, end: int, squares: Bits, step: int, pins: Bits) -> int:
    """Pawns that come to these squares from `step` squares behind."""
    while squares:
        square = lsb(squares)
        squares &= squares - U(1)
        start = square - step
        if _keeps_pin(S, pins, start, square):
            if bit(square) & _OUTER_RANKS:
                end = _add_promotions(S, end, start, square)
            else:
                S.moves[end] = encode(start, square, 0, PAWN, man_on(S, square))
                end += 1
    return end


@compiled(INT64(STATE_T, INT64, UINT64, UINT64))
def _add_pieces(S: State, end: int, targets: Bits, pins: Bits) -> int:
    """Knights, bishops, rooks and queens that go to these squares."""
    us = S.turn
    king = lsb(S.men[us, KING])
    for piece_type in range(KNIGHT, KING):
        men = S.men[us, piece_type]
        while men:
            start = lsb(men)
            men &= men - U(1)
            squares = attacks_of(S, piece_type, start, S.occupied) & targets
            if pins & bit(start):
                squares &= S.attacks.line[king, start]
            while squares:
                square = lsb(squares)
                squares &= squares - U(1)
                S.moves[end] = encode(start, square, 0, piece_type, man_on(S, square))
                end += 1
    return end


@compiled(INT64(STATE_T, INT64, UINT64))
def _add_king(S: State, end: int, targets: Bits) -> int:
    """King's moves, but castling, to these squares."""
    us = S.turn
    king = lsb(S.men[us, KING])
    squares = S.attacks.king[king] & targets
    while squares:
        square = lsb(squares)
        squares &= squares - U(1)
        if not is_attacked(S, square, us ^ 1, S.occupied ^ bit(king)):
            S.moves[end] = encode(king, square, 0, KING, man_on(S, square))
            end += 1
    return end


@compiled(INT64(STATE_T, INT64, UINT64, UINT64))
def add_noisy(S: State, end: int, checks: Bits, pins: Bits) -> int:
    """Add the legal captures and promotions."""
    us = S.turn
    enemies = S.own[us ^ 1]
    evasions = _evasion_squares(S, checks)
    pawns = S.men[us, PAWN]
    hit = enemies & evasions
    straight = ~S.occupied & evasions & _OUTER_RANKS
    if us:
        end = _add_pawns(S, end, pawns << U(8) & straight, 8, pins)
        end = _add_pawns(S, end, (pawns & _NOT_A) << U(7) & hit, 7, pins)
        end = _add_pawns(S, end, (pawns & _NOT_H) << U(9) & hit, 9, pins)
    else:
        end = _add_pawns(S, end, pawns >> U(8) & straight, -8, pins)
        end = _add_pawns(S, end, (pawns & _NOT_H) >> U(7) & hit, -7, pins)
        end = _add_pawns(S, end, (pawns & _NOT_A) >> U(9) & hit, -9, pins)
    if S.en_passant >= 0:
        takers = S.attacks.pawn[us ^ 1, S.en_passant] & pawns
        while takers:
            start = lsb(takers)
            takers &= takers - U(1)
            if _passing_is_legal(S, start):
                S.moves[end] = encode(start, S.en_passant, 0, PAWN, PAWN) | IN_PASSING
                end += 1
    if hit:
        end = _add_pieces(S, end, hit, pins)
    return _add_king(S, end, enemies)


@compiled(INT64(STATE_T, INT64, UINT64, UINT64))
def add_quiet(S: State, end: int, checks: Bits, pins: Bits) -> int:
    """Add the legal moves that neither take nor promote, castling among them."""
    us = S.turn
    free = ~S.occupied
    evasions = _evasion_squares(S, checks)
    pawns = S.men[us, PAWN]
    if us:
        once = pawns << U(8) & free & ~_OUTER_RANKS
        end = _add_pawns(S, end, once & evasions, 8, pins)
        end = _add_pawns(S, end, (once & _THIRD_RANKS[1]) << U(8) & free & evasions, 16, pins)
    else:
        once = pawns >> U(8) & free & ~_OUTER_RANKS
        end = _add_pawns(S, end, once & evasions, -8, pins)
        end = _add_pawns(S, end, (once & _THIRD_RANKS[0]) >> U(8) & free & evasions, -16, pins)
    end = _add_pieces(S, end, free & evasions, pins)
    end = _add_king(S, end, free)
    rooks = S.castling & home_rank(us)
    while rooks:
        rook = lsb(rooks)
        rooks &= rooks - U(1)
        if castling_is_legal(S, rook, checks):
            S.moves[end] = encode(lsb(S.men[us, KING]), rook, 0, KING, 0) | CASTLING
            end += 1
    return end


@compiled(INT64(STATE_T, INT64, UINT64, UINT64))
def _recall_pawn(S: State, name: int, checks: Bits, pins: Bits) -> int:
    """`recall_move`, for a pawn."""
    us = S.turn
    start, square, becomes = name & 63, name >> 6 & 63, name >> 12
    if bit(square) & _OUTER_RANKS:
        if becomes < KNIGHT or becomes > QUEEN:
            return NO_MOVE
    elif becomes:
        return NO_MOVE
    captured = man_on(S, square)
    if S.attacks.pawn[us, start] & bit(square):
        if square == S.en_passant:
            legal = _passing_is_legal(S, start)
            return encode(start, square, 0, PAWN, PAWN) | IN_PASSING if legal else NO_MOVE
        if S.own[us ^ 1] & bit(square) == U(0):
            return NO_MOVE
    else:
        step = 8 if us else -8
        if captured or square != start + step:
            if captured or square != start + 2 * step or man_on(S, start + step):
                return NO_MOVE
            if bit(start + step) & _THIRD_RANKS[us] == U(0):
                return NO_MOVE
    if _evasion_squares(S, checks) & bit(square) == U(0) or not _keeps_pin(S, pins, start, square):
        return NO_MOVE
    return encode(start, square, becomes, PAWN, captured)


@compiled(INT64(STATE_T, INT64, UINT64, UINT64))
def recall_move(S: State, name: int, checks: Bits, pins: Bits) -> int:
    """The legal move of that name (its lowest 15 bits), or NO_MOVE: a table may have it from elsewhere."""
    us = S.turn
    start, square, becomes = name & 63, name >> 6 & 63, name >> 12
    if S.own[us] & bit(start) == U(0):
        return NO_MOVE
    piece_type, captured = man_on(S, start), man_on(S, square)
    if piece_type == PAWN:
        return _recall_pawn(S, name, checks, pins)
    if becomes:
        return NO_MOVE
    if piece_type == KING and S.castling & bit(square) & home_rank(us):
        if castling_is_legal(S, square, checks):
            return encode(start, square, 0, KING, 0) | CASTLING
        return NO_MOVE
    if attacks_of(S, piece_type, start, S.occupied) & ~S.own[us] & bit(square) == U(0):
        return NO_MOVE
    if piece_type == KING:
        if is_attacked(S, square, us ^ 1, S.occupied ^ bit(start)):
            return NO_MOVE
    elif _evasion_squares(S, checks) & bit(square) == U(0) or not _keeps_pin(S, pins, start, square):
        return NO_MOVE
    return encode(start, square, 0, piece_type, captured)
