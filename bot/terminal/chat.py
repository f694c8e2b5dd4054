"""The chat's input and output: a prompt with completion, or plain lines when input is piped."""

import io
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from rich.console import Console

from bot.terminal.conversation import Conversation


class NameCompleter(Completer):
    """Completes names of sections and commands from the text before the cursor."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Yield completions for prompt_toolkit."""
        del complete_event  # the same for a pressed Tab and for typing
        line = document.text_before_cursor
        for name, what in self._conversation.completions(line):
            yield Completion(name, start_position=-len(line), display_meta=what)


def run(conversation: Conversation, console: Console) -> None:
    """Talk until /quit, end of input or Ctrl-D."""
    interactive = sys.stdin is not None and sys.stdin.isatty()
    if interactive:
        console.print(conversation.greeting(), soft_wrap=True)
    lines = _typed(conversation) if interactive else _piped(sys.stdin or io.StringIO())
    for line in lines:
        reply = conversation.answer(line)
        if reply.plain:
            console.print(reply, soft_wrap=True)
            if not interactive:
                console.print()
        if conversation.finished:
            return
    if interactive:
        console.print(conversation.answer("/quit"), soft_wrap=True)


def _piped(stream: TextIO) -> Iterator[str]:
    yield from stream


def _typed(conversation: Conversation) -> Iterator[str]:
    session: PromptSession[str] = PromptSession(
        history=InMemoryHistory(), completer=NameCompleter(conversation), complete_while_typing=True
    )
    while True:
        try:
            yield session.prompt("> ")
        except KeyboardInterrupt:
            continue  # Ctrl-C clears the line, as in a shell; Ctrl-D leaves
        except EOFError:
            return
