"""Pure strategies that enter as they are needed, for Wilson's method."""
