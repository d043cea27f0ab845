"""Learning what a position is worth from the engine's own games: data, training, and the network.

positions                             the file format of positions
selfplay, starts, shard, generate ... making them: `knightshift lab generate`
features, network, kernels, train ... learning from them: `knightshift lab train`
duel, spsa, tuning_journal ...        tuning the numbers of the search: `knightshift lab tune`
"""
