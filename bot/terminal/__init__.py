"""How Gunbai talks in a terminal: pages of text, one answer, or a conversation."""
