"""Pure equilibria by whole numbers: programs, tables, and proofs that there is none."""
