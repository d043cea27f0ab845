"""Positions in all ten variants, rebuilt from FENs and move lists as Lichess writes them."""

from __future__ import annotations

import contextlib
import random
import typing

import chess
import chess.variant
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import PositionError
from bot.events import VariantKey
from bot.position import BOARDS, new_board, parse_move, replay, to_uci

VARIANTS = typing.get_args(VariantKey)
CHESS960_START = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"


def random_game(variant: str, seed: int, plies: int) -> tuple[str, list[str], chess.Board]:
    """(initial FEN, moves, the board after them), played with python-chess alone."""
    rng = random.Random(seed)
    board = BOARDS[variant]()
    if variant in ("chess960", "fromPosition"):
        board = chess.Board.from_chess960_pos(rng.randrange(960))
    initial_fen = board.fen()
    moves: list[str] = []
    while len(moves) < plies and not board.is_game_over():
        move = rng.choice(list(board.legal_moves))
        moves.append(board.uci(move))
        board.push(move)
    return initial_fen, moves, board


def test_every_variant_of_the_wire_has_its_rules() -> None:
    assert set(BOARDS) == set(VARIANTS)


@pytest.mark.parametrize(
    ("variant", "fen"),
    [
        ("standard", chess.STARTING_FEN),
        ("chess960", chess.STARTING_FEN),
        ("fromPosition", chess.STARTING_FEN),
        ("crazyhouse", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"),
        ("antichess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"),
        ("atomic", chess.STARTING_FEN),
        ("horde", "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"),
        ("kingOfTheHill", chess.STARTING_FEN),
        ("racingKings", "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"),
        ("threeCheck", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1"),
    ],
)
def test_startpos_is_the_variants_own_start(variant: str, fen: str) -> None:
    board = new_board(variant, "startpos")
    assert board.fen() == fen
    assert board.move_stack == []
    assert board.chess960 is (variant in ("chess960", "fromPosition"))
    assert replay(variant, fen, []).fen() == fen


@pytest.mark.parametrize(
    ("variant", "lichess", "own"),
    [
        (
            "crazyhouse",
            "r1bqkb1r/ppp2ppp/2n5/8/8/5N2/PPPP1PPP/RNBQK2R/PpNb w KQkq - 0 6",
            "r1bqkb1r/ppp2ppp/2n5/8/8/5N2/PPPP1PPP/RNBQK2R[NPbp] w KQkq - 0 6",
        ),
        (
            "crazyhouse",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
        ),
        (
            "threeCheck",
            "rnbq1bnr/ppppkppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQ - 2 3 +1+0",
            "rnbq1bnr/ppppkppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQ - 2+3 2 3",
        ),
    ],
)
def test_both_dialects_of_fen_are_one_position(variant: str, lichess: str, own: str) -> None:
    assert new_board(variant, lichess).fen() == own
    assert new_board(variant, own).fen() == own


def test_a_promoted_piece_stays_marked_in_crazyhouse() -> None:
    board = new_board("crazyhouse", "Q~3k3/8/8/8/8/8/q7/4K3/ b - - 0 1")
    assert board.promoted == chess.BB_A8
    board.push_uci("a2a8")
    assert "[p]" in board.fen(), "a captured promoted piece is a pawn in the hand"


def test_the_castling_rook_is_named_by_file_only_when_another_is_further_out() -> None:
    outer = "4k3/8/8/8/8/8/8/R1R1K3 w Q - 0 1"
    inner = "4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1"
    assert new_board("chess960", outer).fen() == outer
    assert new_board("chess960", outer).castling_rights == chess.BB_A1
    assert new_board("chess960", inner).fen() == inner
    assert new_board("chess960", inner).castling_rights == chess.BB_C1
    assert new_board("chess960", CHESS960_START).fen() == CHESS960_START.replace("HFhf", "KQkq")


def test_fields_after_the_side_to_move_may_be_missing() -> None:
    assert new_board("standard", "4k3/8/8/8/8/8/8/4K2R w").fen() == "4k3/8/8/8/8/8/8/4K2R w - - 0 1"


def test_an_en_passant_square_where_nothing_passed_is_dropped() -> None:
    board = new_board("standard", "4k3/8/8/8/8/3P4/8/4K3 b - e3 0 1")
    assert board.ep_square is None
    kept = new_board("standard", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")
    assert kept.fen().split()[3] == "e3"


@pytest.mark.parametrize(
    "fen", ["P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/p3K3 w", "4k2p/8/8/8/8/8/8/P3K3 b - - 0 1"]
)
def test_a_pawn_on_the_first_or_last_rank_was_taken_for_chess(fen: str) -> None:
    reason = "a pawn stands on the first or last rank"
    with pytest.raises(PositionError, match=f"not a position of standard: {reason}: '{fen}'"):
        new_board("standard", fen)
    board = new_board("fromPosition", fen)  # a game that Lichess has begun is played
    for _ in range(10):
        board.push(next(iter(board.legal_moves)))
    assert new_board("horde", "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1")


def test_an_unknown_variant_is_named() -> None:
    with pytest.raises(PositionError, match=r"unknown variant 'bughouse': .*standard, chess960"):
        new_board("bughouse", "startpos")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    "fen",
    [
        "",
        "   ",
        "/",
        "w",
        "startpos w",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQxq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 +a+b",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 0 1 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/xyz w KQkq - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
    ],
)
def test_a_malformed_fen_is_one_clear_line(variant: str, fen: str) -> None:
    with pytest.raises(PositionError) as caught:
        new_board(variant, fen)
    assert str(caught.value).startswith(f"not a position of {variant}: ")
    assert str(caught.value).endswith(repr(fen))
    assert "\n" not in str(caught.value)


@settings(deadline=None)
@given(
    variant=st.sampled_from(VARIANTS),
    fen=st.text(alphabet="kqrbnpKQRBNP12345678/ w-b+~[]#e3\n\x00", max_size=80),
)
def test_no_text_raises_anything_but_a_position_error(variant: str, fen: str) -> None:
    with contextlib.suppress(PositionError):
        assert new_board(variant, fen).king(chess.BLACK) is not None or variant in ("antichess", "atomic")


@settings(deadline=None)
@given(variant=st.sampled_from(VARIANTS), seed=st.integers(0, 999), data=st.data())
def test_no_damaged_fen_raises_anything_but_a_position_error(
    variant: str, seed: int, data: st.DataObject
) -> None:
    fen = random_game(variant, seed, plies=seed % 20)[2].fen()
    at = data.draw(st.integers(0, len(fen)))
    cut = data.draw(st.integers(0, 5))
    put = data.draw(st.text(alphabet="kKpP18/ w-+~[]", max_size=3))
    damaged = fen[:at] + put + fen[at + cut :]
    try:
        board = new_board(variant, damaged)
    except PositionError:
        return
    assert new_board(variant, board.fen()).fen() == board.fen(), "what is accepted can be written and read"


@pytest.mark.parametrize(
    ("variant", "fen", "reason"),
    [
        ("standard", "4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
        ("standard", "8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
        ("standard", "4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "too many kings"),
        ("standard", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "not to move is in check"),
        ("horde", "8/8/8/8/8/8/8/PPPP4 w - - 0 1", "Black has no king"),
    ],
)
def test_a_position_that_cannot_be_played_says_why(variant: str, fen: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        new_board(variant, fen)


@pytest.mark.parametrize(
    ("variant", "fen"),
    [
        ("antichess", "8/8/8/8/8/8/8/KKk5 w - - 0 1"),
        ("atomic", "8/8/8/8/8/8/8/4K3 b - - 0 1"),
        ("atomic", "8/8/8/8/8/8/8/3kK2R w - - 0 1"),
        ("standard", "QQQQkQQQ/8/8/8/8/8/8/QQQQKQQQ b - - 0 1"),
    ],
)
def test_an_unusual_position_is_accepted(variant: str, fen: str) -> None:
    assert new_board(variant, fen).fen() == fen


@settings(deadline=None)
@given(variant=st.sampled_from(VARIANTS), seed=st.integers(0, 10_000), plies=st.integers(0, 60))
def test_a_random_game_replays_to_the_same_position(variant: str, seed: int, plies: int) -> None:
    initial_fen, moves, board = random_game(variant, seed, plies)
    replayed = replay(variant, initial_fen, moves)
    assert replayed.fen() == board.fen()
    assert [move.uci() for move in replayed.move_stack] == moves
    assert replayed.root().fen() == initial_fen


@settings(deadline=None)
@given(variant=st.sampled_from(VARIANTS), seed=st.integers(0, 10_000), taken_back=st.integers(1, 6))
def test_a_list_that_got_shorter_just_replays(variant: str, seed: int, taken_back: int) -> None:
    initial_fen, moves, board = random_game(variant, seed, 30)
    shorter = moves[: max(0, len(moves) - taken_back)]
    while len(board.move_stack) > len(shorter):
        board.pop()
    assert replay(variant, initial_fen, shorter).fen() == board.fen()


CASTLING = ("e2e4", "e7e5", "g1f3", "g8f6", "f1e2", "f8e7")


@pytest.mark.parametrize(
    "variant", ["standard", "chess960", "fromPosition", "crazyhouse", "atomic", "threeCheck"]
)
@pytest.mark.parametrize(("white", "black"), [("e1g1", "e8h8"), ("e1h1", "e8g8")])
def test_castling_is_read_in_both_notations(variant: str, white: str, black: str) -> None:
    board = replay(variant, "startpos", (*CASTLING, white, black))
    assert board.board_fen().startswith("rnbq1rk1/")
    assert board.piece_at(chess.G1) == chess.Piece(chess.KING, chess.WHITE)


@pytest.mark.parametrize(
    ("variant", "sent"),
    [("standard", "e1g1"), ("crazyhouse", "e1g1"), ("chess960", "e1h1"), ("fromPosition", "e1h1")],
)
def test_castling_is_sent_as_lichess_takes_it(variant: str, sent: str) -> None:
    board = replay(variant, "startpos", CASTLING)
    for notation in ("e1g1", "e1h1"):
        assert to_uci(board, parse_move(board, notation)) == sent


def test_a_king_may_castle_with_the_rook_beside_it() -> None:
    board = new_board("chess960", "4k3/8/8/8/8/8/8/5KR1 w K - 0 1")
    assert to_uci(board, parse_move(board, "f1g1")) == "f1g1"
    after = replay("chess960", "4k3/8/8/8/8/8/8/5KR1 w K - 0 1", ["f1g1"])
    assert after.board_fen() == "4k3/8/8/8/8/8/8/5RK1"


@pytest.mark.parametrize(
    ("variant", "fen", "uci"),
    [
        ("standard", "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8n"),
        ("antichess", "8/P7/8/8/8/8/8/7k w - - 0 1", "a7a8k"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[Nn] w - - 0 1", "N@e7"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[Pp] b - - 0 1", "P@e7"),
    ],
)
def test_promotions_and_drops_are_sent_as_they_are_read(variant: str, fen: str, uci: str) -> None:
    board = new_board(variant, fen)
    assert to_uci(board, parse_move(board, uci)) == uci


@pytest.mark.parametrize(
    "move", ["e2e5", "0000", "", "e2", "e2e4e5", "P@e4", "e7e5", "i9i9", "e2e4q", "e2e2", "Nf3", "e2e4\n"]
)
def test_a_move_that_cannot_be_names_ply_move_and_fen(move: str) -> None:
    moves = ("d2d4", "d7d5", move)
    with pytest.raises(PositionError) as caught:
        replay("standard", "startpos", moves)
    assert str(caught.value).startswith(f"ply 3: {move!r} ")
    assert str(caught.value).endswith("in rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2")


def test_a_move_of_the_wrong_type_is_a_position_error() -> None:
    with pytest.raises(PositionError, match="None is not a move"):
        parse_move(chess.Board(), None)  # type: ignore[arg-type]  # what an untyped strategy may do


@pytest.mark.parametrize(
    "move", [chess.Move.null(), chess.Move.from_uci("e2e5"), chess.Move.from_uci("e7e5")]
)
def test_nothing_illegal_is_ever_written_for_lichess(move: chess.Move) -> None:
    with pytest.raises(PositionError, match="is not legal in rnbqkbnr"):
        to_uci(chess.Board(), move)


def test_an_unknown_piece_in_a_pocket_is_said_to_be_one() -> None:
    with pytest.raises(PositionError, match="unknown piece in the pocket"):
        new_board("crazyhouse", "4k3/8/8/8/8/8/8/4K3[x] w - - 0 1")
