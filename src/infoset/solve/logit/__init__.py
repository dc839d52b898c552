"""Logit quantal responses: agents that err, the path that they follow, and where it ends."""
