"""Pictures of the bot's answers for the README, drawn from its own replies: make pictures."""
