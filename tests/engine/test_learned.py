"""The network's judgement: as the reference in numpy has it, and the same however it was come by."""

from __future__ import annotations

import chess
import numpy as np
import pytest

from bot.engine.leaf import CHECKED
from bot.engine.learned import judge, judge_afresh, use
from bot.engine.network import HIDDEN, INPUTS, NETWORK, OUTPUTS, Network
from bot.engine.position import load
from bot.engine.state import State, new_state
from bot.engine.table import new_table
from bot.engine.worker import Worker
from bot.learning import network as reference
from bot.learning.positions import from_board
from tests.engine.kit import KIWIPETE, random_positions


def arrays(seed: int) -> dict[str, np.ndarray]:
    """Weights that nobody has trained: large, so that every clipping and both signs are met."""
    rng = np.random.default_rng(seed)
    return {
        "inputs": rng.integers(-90, 91, (INPUTS, HIDDEN)).astype(np.int16),
        "input_bias": rng.integers(-200, 400, HIDDEN).astype(np.int16),
        "outputs": rng.integers(-127, 128, (OUTPUTS, 2 * HIDDEN)).astype(np.int16),
        "output_bias": rng.integers(-99_999, 99_999, OUTPUTS).astype(np.int32),
    }


def network(seed: int = 1) -> Network:
    weights = np.zeros(1, NETWORK)[0]
    for name, array in arrays(seed).items():
        weights[name] = array.reshape(weights[name].shape)
    return Network(weights, "")


@pytest.fixture
def state() -> State:
    state = new_state()
    use(state, network())
    return state


def test_it_equals_the_reference_on_ten_thousand_positions(state: State) -> None:
    found, records = [], []
    for board in random_positions(10_000, seed=7):
        load(state, board)
        found.append(int(judge(state)))
        records.append(from_board(board, score=0, result=1))
    expected = reference.evaluate_quantised(reference.Network(**arrays(1)), np.array(records))
    assert found == expected.tolist()
    assert len(set(found)) > 3_000  # they are not all clipped, nor all alike


def test_every_evaluation_of_a_search_equals_one_from_scratch() -> None:
    for fen in (chess.STARTING_FEN, KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"):
        worker = Worker(network=network())
        worker.state["learned"] = CHECKED
        worker.begin(chess.Board(fen), node_limit=40_000, contempt=0, age=1)
        worker.deepen(new_table(4), first=1)
        assert worker.nodes >= 40_000
        assert np.count_nonzero(worker.state["evaluation_keys"]) > 1_000
        assert worker.state["mistakes"] == 0


def test_a_layer_that_is_wrong_is_noticed() -> None:
    worker = Worker(network=network())
    worker.state["learned"] = CHECKED
    worker.state["layers"]["values"] += np.int16(40)
    worker.begin(chess.Board(), node_limit=2_000, contempt=0, age=1)
    worker.deepen(new_table(1), first=1)
    assert worker.state["mistakes"] > 0


def test_both_sides_see_the_same(state: State) -> None:
    for board in random_positions(500, seed=8):
        load(state, board)
        value = judge(state)
        load(state, board.mirror())
        assert judge(state) == value
        left_to_right = board.transform(chess.flip_horizontal)
        left_to_right.castling_rights = chess.BB_EMPTY
        load(state, left_to_right)
        assert judge(state) == judge_afresh(state) == value


def test_another_network_begins_anew(state: State) -> None:
    load(state, chess.Board())
    before = judge(state)
    use(state, network(seed=2))
    after = judge(state)
    fresh = new_state()
    use(fresh, network(seed=2))
    load(fresh, chess.Board())
    assert before != after == judge(fresh)


def test_a_bare_king_is_left_to_the_hand_written_evaluation() -> None:
    board = chess.Board("8/8/8/3k4/8/8/4Q3/4K3 w - - 0 1")
    learned, written = Worker(network=network()), Worker()
    for worker in (learned, written):
        worker.begin(board, node_limit=3_000, contempt=0, age=1)
        worker.deepen(new_table(1), first=1)
    assert learned.nodes == written.nodes
    assert learned.best_line() == written.best_line()
