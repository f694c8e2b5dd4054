"""The least a bot can do: one command, one fixed embed, one button. What bench.chat compares with."""

import os

import discord
from discord import app_commands

from tests.e2e.launcher import redirect


class PlainBot(discord.AutoShardedClient):
    """Answers everything alike."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.none(), max_messages=None)
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        """Register the command."""
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction[discord.Client]) -> None:
        """Answer a click by showing the same again."""
        if interaction.type is discord.InteractionType.component:
            await interaction.response.edit_message(embed=embed(), view=view())


def embed() -> discord.Embed:
    """Return the answer to everything."""
    return discord.Embed(title="3.3 Slow Play", description="Penalty: Caution")


def view() -> discord.ui.View:
    """Return a button that nothing waits for."""
    shown = discord.ui.View(timeout=None)
    shown.add_item(discord.ui.Button(label="more", custom_id="more"))
    shown.stop()
    return shown


def main() -> None:
    """Run until ended."""
    redirect(os.environ["GUNBAI_TEST_API"])
    bot = PlainBot()

    @bot.tree.command(name="infraction", description="always the same")
    async def infraction(interaction: discord.Interaction[discord.Client], query: str) -> None:
        del query
        await interaction.response.send_message(embed=embed(), view=view())

    @infraction.autocomplete("query")
    async def complete(
        _: discord.Interaction[discord.Client], typed: str
    ) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=f"{n} {typed}"[:90], value=str(n)) for n in range(12)]

    bot.run(os.environ["DISCORD_TOKEN"], log_handler=None)


if __name__ == "__main__":
    main()
