"""How the bot talks on Discord."""
