"""Linear and integer programs, and exact answers to them; nothing here knows of games."""
