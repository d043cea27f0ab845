"""Lines of UCI become values; what makes no sense becomes one clear line."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.uci.commands import CommandError, Go, SetOption, read_go, read_position, read_setoption

START = chess.Board()


def _w(text: str) -> list[str]:
    return text.split()


def position(text: str, *, chess960: bool = False) -> chess.Board:
    return read_position(text.split(), chess960=chess960)


def test_a_position_has_its_moves_played_and_remembered() -> None:
    board = position("startpos moves e2e4 e7e5 g1f3")
    assert board.fen() == "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
    assert len(board.move_stack) == 3


def test_a_fen_may_lack_its_counters() -> None:
    board = position("fen 8/8/8/8/8/4k3/4p3/4K3 w - - moves")
    assert board.fen() == "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"


@pytest.mark.parametrize("move", ["e1h1", "e1g1"])
def test_castling_is_understood_in_either_notation(move: str) -> None:
    for chess960 in (False, True):
        board = position(f"fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves {move}", chess960=chess960)
        assert board.board_fen() == "4k3/8/8/8/8/8/8/5RK1"


def test_chess960_castling_from_anywhere() -> None:
    board = position("fen 4k3/8/8/8/8/8/8/1RK5 w B - 0 1 moves c1b1", chess960=True)
    assert board.board_fen() == "4k3/8/8/8/8/8/8/2KR4"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected startpos or fen"),
        ("kiwipete", "found 'kiwipete'"),
        ("fen", "found 'fen'"),
        ("startpos e2e4", "found 'startpos e2e4'"),
        ("fen rubbish w - - 0 1", "'rubbish w - - 0 1' is no FEN"),
        ("fen 8/8/8/8/8/8/8/8 w - - 0 1", "no white king, no black king, empty"),
        ("fen 4k3/8/8/8/8/8/8/4K2r b - - 0 1", "opposite check"),
        ("fen 4k3/8/8/QQQQQQQQ/QQQQQQQQ/8/8/4K3 w - - 0 1", "more than 16 men of one side"),
        ("startpos moves e2e4 e2e4", "move 2, 'e2e4', is not legal"),
        ("startpos moves e2e5", "move 1, 'e2e5', is not legal"),
        ("startpos moves e2e4 0000", "move 2, '0000', is not legal"),
        ("startpos moves \x07\x1b[2J", "move 1, '??[2J', is not legal"),
    ],
)
def test_a_position_that_cannot_be(text: str, complaint: str) -> None:
    with pytest.raises(CommandError) as caught:
        position(text)
    assert complaint in str(caught.value)
    assert str(caught.value).isprintable()


def test_counters_and_a_square_that_no_game_leads_to_are_put_right() -> None:
    """The search of such a position failed, and no best move was told."""
    board = position(f"fen 4k3/8/8/8/8/8/4P3/4K3 w - - {10**25} {10**30}")
    assert board.fen().endswith(" 1000000 1000000")
    assert position("fen 4k3/8/8/3nP3/8/8/8/4K3 w - d6 0 1").ep_square is None
    assert position("fen 4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").ep_square == chess.D6


def test_go_with_clocks() -> None:
    go = read_go(
        ["wtime", "300000", "btime", "290000", "winc", "2000", "binc", "3000", "movestogo", "12"], START
    )
    assert go == Go(300_000, 290_000, 2000, 3000, 12)
    assert go.remarks == ()


def test_go_with_everything_else() -> None:
    go = read_go(
        [
            "ponder",
            "depth",
            "9",
            "searchmoves",
            "e2e4",
            "d2d4",
            "nodes",
            "5000",
            "mate",
            "3",
            "movetime",
            "250",
            "infinite",
        ],
        START,
    )
    moves = (chess.Move.from_uci("e2e4"), chess.Move.from_uci("d2d4"))
    assert go == Go(
        depth=9, nodes=5000, mate=3, move_time_ms=250, infinite=True, ponder=True, search_moves=moves
    )


@pytest.mark.parametrize(
    ("text", "wanted", "remarks"),
    [
        ("depth", Go(), ("go: depth without a whole number is left out",)),
        ("depth many nodes 7", Go(nodes=7), ("go: depth without a whole number is left out",)),
        ("depth nodes 7", Go(nodes=7), ("go: depth without a whole number is left out",)),
        ("depth 0", Go(depth=1), ("go: depth 0 is taken as 1",)),
        ("fast depth 3", Go(depth=3), ("go: 'fast' is left out",)),
        ("searchmoves e2e4 e2e5 depth 2", None, ("go: 'e2e5' is no legal move, and left out",)),
        ("searchmoves 0000", Go(), ("go: '0000' is no legal move, and left out",)),
        ("wtime -50 winc -1", Go(white_ms=-50), ()),
        (f"depth {10**30}", Go(depth=2_678_400_000), ()),
        (f"depth {'9' * 5000}", Go(), ("go: depth without a whole number is left out",)),
    ],
)
def test_go_makes_the_best_of_rubbish(text: str, wanted: Go | None, remarks: tuple[str, ...]) -> None:
    go = read_go(text.split(), START)
    assert go.remarks == remarks
    if wanted is None:
        wanted = Go(depth=2, search_moves=(chess.Move.from_uci("e2e4"),))
    assert go == wanted


def test_names_and_values_of_options_may_have_spaces() -> None:
    assert read_setoption(_w("name Move Overhead value 1 0")) == SetOption("Move Overhead", "1 0")
    assert read_setoption(_w("name Clear Hash")) == SetOption("Clear Hash", "")


@pytest.mark.parametrize("text", ["", "name", "Hash value 3"])
def test_setoption_needs_a_name(text: str) -> None:
    with pytest.raises(CommandError, match="expected name NAME value VALUE"):
        read_setoption(text.split())


WORDS = st.one_of(
    st.sampled_from(_w("startpos fen moves wtime depth nodes searchmoves infinite name value perft -1 0")),
    st.sampled_from([START.fen(), "e2e4", "e7e8q", "0000", "K7/8/8/8/8/8/8/k7"]),
    st.text(max_size=12),
)


@given(st.lists(WORDS, max_size=12), st.booleans())
def test_no_words_lead_to_anything_but_a_value_or_a_command_error(words: list[str], chess960: bool) -> None:
    text = " ".join(words).split()
    read_go(text, START)
    for read in (lambda: read_position(text, chess960=chess960), lambda: read_setoption(text)):
        try:
            read()
        except CommandError as error:
            assert str(error).isprintable()  # noqa: PT017  it need not be raised
