"""Counts and times of what the bot does, for Prometheus; nothing about people or what they ask."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Metrics:
    """The measures of one process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.lookups = Counter(
            "gunbai_lookups",
            "Lookups by outcome and language.",
            ["outcome", "language"],
            registry=self._registry,
        )
        self.interactions = Histogram(
            "gunbai_interaction_seconds",
            "Seconds from an interaction's arrival to its answer.",
            ["kind"],
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0),
            registry=self._registry,
        )
        self.errors = Counter("gunbai_errors", "Errors with an id.", registry=self._registry)
        self.expired = Counter(
            "gunbai_expired",
            "Interactions that could no longer be answered.",
            registry=self._registry,
        )
        self.shards = Gauge(
            "gunbai_shards_ready", "Shards with a session at the gateway.", registry=self._registry
        )
        self.reloads = Counter(
            "gunbai_reloads",
            "Reloads of the rule data by result.",
            ["result"],
            registry=self._registry,
        )

    def text(self) -> bytes:
        """Return all measures in Prometheus' text format."""
        return generate_latest(self._registry)
