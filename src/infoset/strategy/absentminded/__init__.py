"""Players who do not know whether they were there before: payoffs as polynomials, and their
best.
"""
