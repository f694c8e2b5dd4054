"""The commands that go to Discord: run and sync."""

import asyncio
import sys

from bot import config, logs
from bot.chat import service
from bot.chat.service import LoginError, Plan
from bot.store.trouble import StoreError
from bot.surroundings import OK, RefusalError, Surroundings


def run(around: Surroundings, *, watch: bool) -> int:
    """Answer on Discord until told to stop. Raises RefusalError and SettingsError."""
    plan = _plan(around, watch=watch)
    logs.configure(around.settings.log, around.settings.log_level)
    try:
        asyncio.run(service.serve(plan, around.catalogue))
    except (LoginError, StoreError) as error:
        raise RefusalError(str(error)) from error
    return OK


def sync(around: Surroundings) -> int:
    """Register the commands anew. Raises RefusalError and SettingsError."""
    plan = _plan(around, watch=False)
    logs.configure(around.settings.log, "WARNING")
    try:
        count = asyncio.run(service.register(plan, around.catalogue))
    except (LoginError, StoreError) as error:
        raise RefusalError(str(error)) from error
    print(around.texts("sync.done", count=count), file=sys.stdout)
    return OK


def _plan(around: Surroundings, *, watch: bool) -> Plan:
    settings = around.settings
    return Plan(
        token=config.token(),
        data=around.data,
        cache=around.cache,
        database=settings.database,
        shard_ids=settings.shard_ids,
        shard_count=settings.shard_count,
        host=settings.host,
        port=settings.port,
        watch=watch,
    )
