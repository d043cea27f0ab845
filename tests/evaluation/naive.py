"""The definitions of the terms, once more: slowly, square by square, without weights or bitboard tricks.

What the evaluation computes with shifts and masks is held against these.
"""

from __future__ import annotations

from collections.abc import Iterator

import chess

OFFICERS = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


def rank_of(square: chess.Square, color: chess.Color) -> int:
    """From 0, the owner's first rank, to 7."""
    return chess.square_rank(square) if color else 7 - chess.square_rank(square)


def at(file: int, rank: int, color: chess.Color) -> chess.Square | None:
    """The square on `file` and on the owner's `rank`; None: outside the board."""
    if not (0 <= file < 8 and 0 <= rank < 8):
        return None
    return chess.square(file, rank if color else 7 - rank)


def men(board: chess.Board, color: chess.Color, *piece_types: chess.PieceType) -> Iterator[chess.Square]:
    for square, piece in board.piece_map().items():
        if piece.color == color and piece.piece_type in piece_types:
            yield square


def pawn_places(board: chess.Board, color: chess.Color, seen_by: chess.Color) -> list[tuple[int, int]]:
    """(file, rank) of each pawn of `color`, ranks as `seen_by` counts them."""
    return [(chess.square_file(square), rank_of(square, seen_by)) for square in men(board, color, chess.PAWN)]


# --- pawns ----------------------------------------------------------------------------------------------


def isolated_files(board: chess.Board, color: chess.Color) -> int:
    used = {file for file, _ in pawn_places(board, color, color)}
    return sum(1 for file in used if file - 1 not in used and file + 1 not in used)


def doubled_files(board: chess.Board, color: chess.Color) -> int:
    on_files = [file for file, _ in pawn_places(board, color, color)]
    return sum(1 for file in range(8) if on_files.count(file) > 1)


def backward_pawns(board: chess.Board, color: chess.Color) -> int:
    own = pawn_places(board, color, color)
    enemy = pawn_places(board, not color, color)
    count = 0
    for file, rank in own:
        neighbours = [r for f, r in own if abs(f - file) == 1]
        stop_attacked = any(abs(f - file) == 1 and r == rank + 2 for f, r in enemy)
        if neighbours and min(neighbours) > rank and stop_attacked:
            count += 1
    return count


def passed_pawns(board: chess.Board, color: chess.Color) -> list[tuple[int, int]]:
    own = pawn_places(board, color, color)
    enemy = pawn_places(board, not color, color)
    return [
        (file, rank)
        for file, rank in own
        if not any(abs(f - file) <= 1 and r > rank for f, r in enemy)
        and not any(f == file and r > rank for f, r in own)
    ]


def neighbouring_passed_files(board: chess.Board, color: chess.Color) -> int:
    used = {file for file, _ in passed_pawns(board, color)}
    return sum(1 for file in used if file + 1 in used)


def defended_pawns(board: chess.Board, color: chess.Color) -> int:
    own = pawn_places(board, color, color)
    return sum(1 for file, rank in own if (file - 1, rank - 1) in own or (file + 1, rank - 1) in own)


def islands(board: chess.Board, color: chess.Color) -> int:
    used = {file for file, _ in pawn_places(board, color, color)}
    return sum(1 for file in used if file - 1 not in used)


# --- the king -------------------------------------------------------------------------------------------


def shield_pawns(board: chess.Board, color: chess.Color) -> int:
    king = board.king(color)
    assert king is not None
    places = pawn_places(board, color, color)
    file, rank = chess.square_file(king), rank_of(king, color)
    return sum(1 for f, r in places if r == rank + 1 and abs(f - file) <= 1)


def open_files_near_king(board: chess.Board, color: chess.Color) -> int:
    king = board.king(color)
    assert king is not None
    file = chess.square_file(king)
    used = {
        chess.square_file(square)
        for square in board.pieces(chess.PAWN, True) | board.pieces(chess.PAWN, False)
    }
    return sum(1 for f in (file - 1, file, file + 1) if 0 <= f < 8 and f not in used)


def king_zone(board: chess.Board, color: chess.Color) -> set[chess.Square]:
    king = board.king(color)
    assert king is not None
    file, rank = chess.square_file(king), rank_of(king, color)
    places = [(file + df, rank + dr) for df in (-1, 0, 1) for dr in (-1, 0, 1, 2)]
    return {square for f, r in places if (square := at(f, r, color)) is not None}


def king_attack(board: chess.Board, color: chess.Color) -> list[tuple[chess.PieceType, int]]:
    """Each enemy piece that attacks the zone, and how many of its squares."""
    zone = king_zone(board, color)
    found = []
    for piece_type in OFFICERS:
        for square in men(board, not color, piece_type):
            if hits := len(zone & set(board.attacks(square))):
                found.append((piece_type, hits))
    return found


# --- squares --------------------------------------------------------------------------------------------


def attacks(board: chess.Board, color: chess.Color, square: chess.Square) -> bool:
    return bool(board.attackers(color, square))


def pawn_attacks(board: chess.Board, color: chess.Color, square: chess.Square) -> bool:
    return any(board.piece_type_at(attacker) == chess.PAWN for attacker in board.attackers(color, square))


def mobility(board: chess.Board, color: chess.Color, piece_type: chess.PieceType) -> list[int]:
    """The number of squares of each such piece."""
    return [
        sum(
            1
            for target in board.attacks(square)
            if board.color_at(target) != color and not pawn_attacks(board, not color, target)
        )
        for square in men(board, color, piece_type)
    ]


def free_passed_pawns(board: chess.Board, color: chess.Color) -> int:
    stops = [at(file, rank + 1, color) for file, rank in passed_pawns(board, color)]
    return sum(
        1
        for stop in stops
        if stop is not None and board.piece_at(stop) is None and not attacks(board, not color, stop)
    )


# --- patterns -------------------------------------------------------------------------------------------


def pins_made(board: chess.Board, color: chess.Color) -> int:
    return sum(1 for square in men(board, not color, *OFFICERS) if board.is_pinned(not color, square))


def forks_made(board: chess.Board, color: chess.Color) -> int:
    targets = {
        chess.PAWN: (*OFFICERS, chess.KING),
        chess.KNIGHT: (chess.ROOK, chess.QUEEN, chess.KING),
        chess.BISHOP: (chess.ROOK, chess.QUEEN, chess.KING),
        chess.ROOK: (chess.QUEEN, chess.KING),
    }
    count = 0
    for piece_type, wanted in targets.items():
        for square in men(board, color, piece_type):
            hit = sum(
                1
                for target in board.attacks(square)
                if board.color_at(target) == (not color) and board.piece_type_at(target) in wanted
            )
            if hit >= 2 and (piece_type == chess.PAWN or not pawn_attacks(board, not color, square)):
                count += 1
    return count


def hanging_pieces(board: chess.Board, color: chess.Color) -> int:
    return sum(
        1
        for square in men(board, color, *OFFICERS)
        if attacks(board, not color, square) and not attacks(board, color, square)
    )


def pieces_hit_by_pawns(board: chess.Board, color: chess.Color) -> int:
    return sum(1 for square in men(board, color, *OFFICERS) if pawn_attacks(board, not color, square))


def batteries(board: chess.Board, color: chess.Color) -> int:
    straight, slanting = {chess.ROOK, chess.QUEEN}, {chess.BISHOP, chess.QUEEN}
    sliders = sorted(men(board, color, chess.BISHOP, chess.ROOK, chess.QUEEN))
    count = 0
    for a in sliders:
        for b in sliders:
            if a >= b or any(board.piece_at(square) for square in chess.SquareSet.between(a, b)):
                continue
            both = {board.piece_type_at(a), board.piece_type_at(b)}
            across, up = (
                abs(chess.square_file(a) - chess.square_file(b)),
                abs(chess.square_rank(a) - chess.square_rank(b)),
            )
            if (across == 0 and both <= straight) or (across == up and both <= slanting):
                count += 1
    return count


def outposts(board: chess.Board, color: chess.Color, piece_type: chess.PieceType) -> int:
    enemy = pawn_places(board, not color, color)
    return sum(
        1
        for square in men(board, color, piece_type)
        if 3 <= rank_of(square, color) <= 5
        and pawn_attacks(board, color, square)
        and not any(abs(f - chess.square_file(square)) == 1 and r > rank_of(square, color) for f, r in enemy)
    )


def rooks_on_files(board: chess.Board, color: chess.Color) -> tuple[int, int]:
    """On open and on half-open files."""
    own = {file for file, _ in pawn_places(board, color, color)}
    enemy = {file for file, _ in pawn_places(board, not color, color)}
    on = [chess.square_file(square) for square in men(board, color, chess.ROOK)]
    return (
        sum(1 for file in on if file not in own and file not in enemy),
        sum(1 for file in on if file not in own and file in enemy),
    )


def rooks_on_seventh(board: chess.Board, color: chess.Color) -> int:
    worth_it = any(rank == 6 for _, rank in pawn_places(board, not color, color)) or any(
        rank_of(king, color) == 7 for king in men(board, not color, chess.KING)
    )
    return sum(1 for square in men(board, color, chess.ROOK) if worth_it and rank_of(square, color) == 6)


def bad_bishop_pawns(board: chess.Board, color: chess.Color) -> int:
    enemy = pawn_places(board, not color, color)
    blocked = [(file, rank) for file, rank in pawn_places(board, color, color) if (file, rank + 1) in enemy]
    bishops = [
        (chess.square_file(square), rank_of(square, color)) for square in men(board, color, chess.BISHOP)
    ]
    return sum(1 for f, r in blocked for g, s in bishops if (f + r) % 2 == (g + s) % 2)


def trapped_minors(board: chess.Board, color: chess.Color) -> int:
    return sum(
        1
        for square in men(board, color, chess.KNIGHT, chess.BISHOP)
        if rank_of(square, color) >= 4
        and all(
            board.color_at(target) == color or attacks(board, not color, target)
            for target in board.attacks(square)
        )
    )


def trapped_rooks(board: chess.Board, color: chess.Color) -> int:
    king = board.king(color)
    if king is None or rank_of(king, color) != 0 or board.has_castling_rights(color):
        return 0
    file = chess.square_file(king)
    outside = {1: (0,), 2: (0, 1), 5: (6, 7), 6: (7,)}.get(file, ())
    own = {f for f, _ in pawn_places(board, color, color)}
    return sum(
        1
        for square in men(board, color, chess.ROOK)
        if rank_of(square, color) == 0
        and chess.square_file(square) in outside
        and chess.square_file(square) in own
    )


def bare_king(board: chess.Board, color: chess.Color) -> tuple[int, int, int]:
    """Steps of the enemy's bare king from the centre, steps to the corner in which alone it can be mated, and
    how much nearer than seven moves the kings are: all nothing unless it is bare and can be mated."""
    enemy = [square for square, piece in board.piece_map().items() if piece.color != color]
    bare, own = board.king(not color), board.king(color)
    if len(enemy) != 1 or bare is None or own is None:
        return 0, 0, 0
    big = bool(list(men(board, color, chess.QUEEN, chess.ROOK)))
    shades = {_is_light(square) for square in men(board, color, chess.BISHOP)}
    with_knight = bool(shades) and bool(list(men(board, color, chess.KNIGHT)))
    if not (big or len(shades) == 2 or with_knight):
        return 0, 0, 0
    steps = min(_steps(bare, square) for square in (chess.D4, chess.E4, chess.D5, chess.E5))
    corner = 0
    if not big and len(shades) == 1:
        right = [square for square in (chess.A1, chess.H1, chess.A8, chess.H8) if _is_light(square) in shades]
        corner = max(0, 7 - min(_steps(bare, square) for square in right))
    return steps, corner, 7 - chess.square_distance(bare, own)


def _is_light(square: chess.Square) -> bool:
    return (chess.square_file(square) + chess.square_rank(square)) % 2 == 1


def _steps(a: chess.Square, b: chess.Square) -> int:
    """By file and by rank, one after the other."""
    return abs(chess.square_file(a) - chess.square_file(b)) + abs(chess.square_rank(a) - chess.square_rank(b))
