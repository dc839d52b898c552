"""Rules run for all deals at once: stand-ins, worlds, and what everyone knows in them."""
