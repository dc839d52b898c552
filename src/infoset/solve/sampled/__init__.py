"""The parts of Monte Carlo regret minimization.

request     the settings of a run, read as sampling reads them
source      whatever is given as a game, made walkable
places      positions taken apart for walking, and a bounded memory of them
live        a play carried on within one run of the rules
chance      nature's moves, and draws
table       what is kept of an information set
spelling    how an information set is told in a file
walks       external sampling, outcome sampling, plays for the average: the mathematics
run         iterations one after the other
watch       when a run ends, and who is told how far it is
resuming    runs and their courses in files
record      what a run came to: :class:`~infoset.solve.sampled.record.Sampled`
labels      how information sets read
seen        the average strategies, set by set, the most visited first
simulation  what everyone gets and where plays come, by simulated plays
on_tree     the average strategies on the tree, to be proved
"""
