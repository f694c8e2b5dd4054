"""A PostgreSQL server for the tests: from the installed binaries, on this machine only."""

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

USER: Final = "gunbai"
PASSWORD: Final = "p/a?s#s@w:ö%rd"  # noqa: S105 - every character that an address treats specially
PATIENCE: Final = 60.0
"""Seconds for the server to start or stop on a busy machine."""
SETTINGS: Final = ("fsync=off", "shared_buffers=16MB", "max_connections=40")


def binaries() -> Path | None:
    """The folder with the newest server that is installed."""
    installed = [
        file.parent
        for file in Path("/usr/lib/postgresql").glob("*/bin/initdb")
        if file.parent.parent.name.isdigit()
    ]
    if installed:
        return max(installed, key=lambda folder: int(folder.parent.name))
    found = shutil.which("initdb")
    return Path(found).resolve().parent if found else None


def account() -> str | None:
    """The user to run the server as, for it refuses root; None is the user of the tests."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise LookupError("no user but root")


def obstacle() -> str | None:
    """Why no server can be started here, if none can."""
    if os.name != "posix" or binaries() is None:
        return "PostgreSQL is not installed"
    try:
        account()
    except LookupError:
        return "PostgreSQL does not run as root, and there is no other user"
    return None


class Postgres:
    """One server with its own data; ends only what it started."""

    def __init__(self) -> None:
        found = binaries()
        assert found is not None, obstacle()
        self._bin = found
        # Not in tmp_path: the server's user may not enter the folders above that.
        self._folder = Path(tempfile.mkdtemp(prefix="gunbai-postgres-"))
        self._names = (f"db{number}" for number in itertools.count())
        self._server: subprocess.Popen[bytes] | None = None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        user = account()
        self._as: dict[str, Any] = {"cwd": self._folder}
        if user is not None:
            entry = pwd.getpwnam(user)
            os.chown(self._folder, entry.pw_uid, entry.pw_gid)
            self._as |= {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        secret = self._folder / "secret"
        secret.write_text(PASSWORD, encoding="utf-8")
        if user is not None:
            os.chown(secret, entry.pw_uid, entry.pw_gid)
        self._run(
            "initdb",
            f"--pgdata={self._data}",
            f"--username={USER}",
            f"--pwfile={secret}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        )

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def url(self, database: str = "postgres", password: str = PASSWORD) -> str:
        """The address of a database, as a person would write it."""
        return f"postgres://{USER}:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """Make an empty database and return its address."""
        name = next(self._names)
        self.sql(f"CREATE DATABASE {name}")
        return self.url(name)

    def sql(self, statement: str, url: str | None = None) -> str:
        """Run a statement in ``url``'s database and return what it prints."""
        target = (url or self.url()).replace("postgres://", "postgresql://")
        done = self._run(
            "psql", "-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-c", statement, target
        )
        return done.stdout.strip()

    def start(self) -> None:
        """Start the server, if it does not run, and wait until it answers."""
        if self._server is not None and self._server.poll() is None:
            return
        settings = [part for setting in SETTINGS for part in ("-c", setting)]
        with (self._folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [
                    str(self._bin / "postgres"),
                    *("-D", str(self._data)),
                    *("-k", str(self._folder)),
                    *("-h", "127.0.0.1"),
                    *("-p", str(self.port)),
                    *settings,
                ],
                stdout=log,
                stderr=log,
                start_new_session=True,
                **self._as,
            )
        end = time.monotonic() + PATIENCE
        while not self._answers():
            if self._server.poll() is not None or time.monotonic() > end:
                raise RuntimeError((self._folder / "log").read_text(encoding="utf-8"))
            time.sleep(0.05)

    def stop(self) -> None:
        """End the server at once, as a crash does: its clients lose their connections."""
        if self._server is not None and self._server.poll() is None:
            self.resume()
            self._server.send_signal(signal.SIGQUIT)
            self._server.wait(PATIENCE)
        self._server = None

    def pause(self) -> None:
        """Let new connections hang, as an overloaded server does."""
        assert self._server is not None
        self._server.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let a paused server go on."""
        assert self._server is not None
        self._server.send_signal(signal.SIGCONT)

    def remove(self) -> None:
        """End the server and delete its data."""
        self.stop()
        shutil.rmtree(self._folder)

    def _answers(self) -> bool:
        try:
            self.sql("SELECT 1")
        except subprocess.CalledProcessError:
            return False
        return True

    def _run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self._bin / program), *arguments],
            check=True,
            capture_output=True,
            encoding="utf-8",
            env={
                "LC_ALL": "C.UTF-8",
                "PATH": os.environ.get("PATH", ""),
                "HOME": str(self._folder),
            },
            **self._as,
        )
