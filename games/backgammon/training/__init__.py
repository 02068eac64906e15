"""How the bots' weights and tables were made; run by hand, nothing here is needed to play."""
