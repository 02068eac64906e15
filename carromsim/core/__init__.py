"""What a game is: states, actions, chance, records, errors. Pure Python."""
