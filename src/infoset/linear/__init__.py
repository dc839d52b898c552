"""Linear and integer programs, systems and graphs, solved exactly; nothing here knows games."""
