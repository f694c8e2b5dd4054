"""A stand-in for Discord, for tests: its REST API, its gateway and the people who use the bot."""

from tests.e2e.standin.exchange import Exchange
from tests.e2e.standin.messages import StoredMessage
from tests.e2e.standin.people import NotSentError
from tests.e2e.standin.server import StandIn
from tests.e2e.standin.world import Guild, User

__all__ = ["Exchange", "Guild", "NotSentError", "StandIn", "StoredMessage", "User"]
