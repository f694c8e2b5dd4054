"""What the bot remembers between runs: settings of servers and people, in SQLite or PostgreSQL."""
