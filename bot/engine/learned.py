"""What a position is worth, as the network has it.

The hidden layer of a position is that of any other, less the men that went and with the men that came. So the
layers that were reckoned last are kept, each with its men, and only what has changed since is reckoned.
"""

from __future__ import annotations

from bot.engine.bits import BLACK, WHITE
from bot.engine.dot import clipped_squares_dot
from bot.engine.intrinsics import lsb, popcount
from bot.engine.jit import INT64, VOID, U, compiled
from bot.engine.network import HIDDEN, MEN_PER_STAGE_BITS, QA, QB, SCALE, Network
from bot.engine.state import LAYER_T, STATE_T, Layer, State

KING = 6
#: The first of the files on which a king has the board mirrored: e.
_RIGHT = 4
#: As in `evaluate`.
LIMIT = 19_999


@compiled(INT64(INT64, INT64, INT64, INT64, INT64), inline=True)
def column(view: int, mirrored: int, colour: int, piece_type: int, square: int) -> int:
    """The input of a man, as one side sees it; `mirrored`: 1 where left and right are changed, else 0."""
    seen = square ^ (0 if view else 56) ^ (7 * mirrored)
    return ((0 if colour == view else 6) + piece_type - 1) * 64 + seen


@compiled(VOID(STATE_T, LAYER_T), inline=True)
def begin(S: State, layer: Layer) -> None:
    """The layer of no men."""
    for colour in (BLACK, WHITE):
        for piece_type in range(1, 7):
            layer.men[colour, piece_type] = U(0)
    for index in range(HIDDEN):
        layer.values[index] = S.network.input_bias[index]


@compiled(VOID(STATE_T, LAYER_T, INT64, INT64))
def bring_up(S: State, layer: Layer, view: int, mirrored: int) -> None:
    """Make the layer that of the position, from whichever it was of."""
    values = layer.values
    for colour in (BLACK, WHITE):
        for piece_type in range(1, 7):
            now, before = S.men[colour, piece_type], layer.men[colour, piece_type]
            if now == before:
                continue
            layer.men[colour, piece_type] = now
            came, went = now & ~before, before & ~now
            while came:
                weights = S.network.inputs[column(view, mirrored, colour, piece_type, lsb(came))]
                came &= came - U(1)
                for index in range(HIDDEN):
                    values[index] += weights[index]
            while went:
                weights = S.network.inputs[column(view, mirrored, colour, piece_type, lsb(went))]
                went &= went - U(1)
                for index in range(HIDDEN):
                    values[index] -= weights[index]


@compiled(INT64(STATE_T, INT64), inline=True)
def is_mirrored(S: State, view: int) -> int:
    """1 where this side's king has the board mirrored, else 0."""
    return INT64(lsb(S.men[view, KING]) & 7 >= _RIGHT)


@compiled(INT64(INT64, INT64), inline=True)
def towards_zero(number: int, divisor: int) -> int:
    """Division that rounds towards zero, so that either sign rounds alike."""
    return number // divisor if number >= 0 else -(-number // divisor)


@compiled(INT64(STATE_T), inline=True)
def _stage(S: State) -> int:
    """The stage of the game, by the men that are left."""
    return (popcount(S.occupied) - 2) >> MEN_PER_STAGE_BITS


@compiled(INT64(STATE_T, INT64), inline=True)
def _output(S: State, total: int) -> int:
    """Centipawns from the sum of both halves."""
    value = towards_zero(total, QA) + S.network.output_bias[_stage(S)]
    return max(-LIMIT, min(LIMIT, towards_zero(value * SCALE, QA * QB)))


@compiled(INT64(STATE_T))
def judge(S: State) -> int:
    """Centipawns for the side to move, at most LIMIT either way."""
    total = INT64(0)
    for half in range(2):
        view = S.turn ^ half
        mirrored = is_mirrored(S, view)
        layer = S.layers[view, mirrored]
        bring_up(S, layer, view, mirrored)
        total += clipped_squares_dot(layer.values, S.network.outputs[_stage(S), half])
    return _output(S, total)


@compiled(INT64(STATE_T))
def judge_afresh(S: State) -> int:
    """The same with nothing from before: what `judge` must equal."""
    total = INT64(0)
    for half in range(2):
        view = S.turn ^ half
        begin(S, S.spare_layer)
        bring_up(S, S.spare_layer, view, is_mirrored(S, view))
        total += clipped_squares_dot(S.spare_layer.values, S.network.outputs[_stage(S), half])
    return _output(S, total)


@compiled(VOID(STATE_T))
def begin_layers(S: State) -> None:
    """Start all layers anew; needed once the weights have changed."""
    for view in (BLACK, WHITE):
        for mirrored in range(2):
            begin(S, S.layers[view, mirrored])


def use(state: State, network: Network | None) -> None:
    """Let this network judge from now on; None: the hand-written evaluation."""
    state["evaluation_keys"] = 0
    state["learned"] = int(network is not None)
    if network is not None:
        state["network"] = network.weights
        begin_layers(state)
