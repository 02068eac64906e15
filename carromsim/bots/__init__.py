"""Players that are programs, and the search and sampling that several games share."""
