"""The command line, run as people run it."""

import atexit
import json
import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from bot.__main__ import main
from tests import demo_pack

CACHE = tempfile.mkdtemp(prefix="gunbai-tests-")
atexit.register(shutil.rmtree, CACHE, ignore_errors=True)


def gunbai(*arguments: str, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program as a process of its own, without a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        input=text,
        capture_output=True,
        encoding="utf-8",
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "GUNBAI_CACHE": CACHE, **environment},
        timeout=60,
        check=False,
    )


def test_an_answer_is_printed_with_status_0() -> None:
    done = gunbai("ask", "fab", "3.3", "--locale", "en")
    assert done.returncode == 0
    assert "Penalty: Caution" in done.stdout
    assert "\x1b" not in done.stdout, "no colours into a pipe"
    assert done.stderr == ""


def test_the_language_follows_the_terminal() -> None:
    assert "ペナルティ：注意" in gunbai("ask", "fab 3.3", LANG="ja_JP.UTF-8").stdout


def test_several_plausible_sections_are_listed_with_how_to_ask_for_one() -> None:
    done = gunbai("ask", "4.1")
    assert done.returncode == 0
    assert "Several sections may be meant" in done.stdout
    assert "gunbai ask fab:4.1\n" in done.stdout


def test_nothing_found_says_what_to_try_with_status_1() -> None:
    done = gunbai("ask", "qwertyuiop asdf")
    assert done.returncode == 1
    assert "Try a section number" in done.stdout


def test_the_short_answer_says_what_it_left_out_and_all_shows_it() -> None:
    assert "Examples (3)" in gunbai("ask", "fab 3.3").stdout
    assert "gunbai ask" not in gunbai("ask", "fab 3.3", "--all").stdout


@pytest.mark.parametrize(
    ("query", "confidence", "first"),
    [("chikoku", "unsure", "fab:3.1"), ("GRV", None, "fab:2.1"), ("zzzzzzzz", "none", None)],
)
def test_json_tells_confidence_and_hits(
    query: str, confidence: str | None, first: str | None
) -> None:
    found = json.loads(gunbai("ask", query, "--json").stdout)
    assert confidence is None or found["confidence"] == confidence
    hits = found["hits"]
    assert (hits[0]["id"] if hits else None) == first
    for hit in hits:
        assert hit.keys() == {"id", "score", "matched"}
        assert hit["matched"].keys() == {"kind", "text"}


def test_an_unknown_game_is_refused_by_name() -> None:
    done = gunbai("ask", "3.3", "--game", "chess")
    assert done.returncode == 2
    assert 'no rulebook named "chess"; known: fab, ygo' in done.stderr
    assert gunbai("chat", "--game", "chess").returncode == 2


def test_check_is_silent_about_good_data() -> None:
    done = gunbai("check")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2 rulebooks, 77 sections: no problems.\n")
    assert "the learned meaning is current" in done.stdout, "run: gunbai learn"


def test_check_prints_one_line_a_problem_with_status_1(tmp_path: Path) -> None:
    pack = demo_pack.write(tmp_path)
    (pack / "2.2.yaml").write_text(demo_pack.SLOW.replace("note", "nope"), encoding="utf-8")
    (pack / "1.yaml").write_text("id: [\n", encoding="utf-8")
    for locale, words in (("en", "no penalty"), ("ja", "ペナルティ「nope」が段階にない")):
        done = gunbai("check", "--data", str(tmp_path), "--locale", locale)
        assert done.returncode == 1
        first, second = done.stdout.splitlines()
        assert first.startswith(f"{pack}/1.yaml:2: ")
        assert second.startswith(f"{pack}/2.2.yaml:5: penalty: {words}")


def test_broken_data_stops_a_question_with_status_2_and_names_check(tmp_path: Path) -> None:
    done = gunbai("ask", "3.3", GUNBAI_DATA=str(tmp_path))
    assert done.returncode == 2
    assert str(tmp_path) in done.stderr
    assert "Traceback" not in done.stderr


def test_check_finds_a_stale_schema(tmp_path: Path) -> None:
    demo_pack.write(tmp_path)
    (tmp_path / "schema.json").write_text("{}", encoding="utf-8")
    done = gunbai("check", "--data", str(tmp_path))
    assert done.returncode == 1
    assert "gunbai schema --write" in done.stdout
    assert gunbai("schema", "--write", "--data", str(tmp_path)).returncode == 0
    assert gunbai("check", "--data", str(tmp_path)).returncode == 0


def test_a_wrong_setting_ends_with_one_line_and_status_2() -> None:
    done = gunbai("check", GUNBAI_LOCALE="fr")
    assert done.returncode == 2
    assert done.stderr.startswith("gunbai: GUNBAI_LOCALE: ")
    assert len(done.stderr.splitlines()) == 1


def test_export_prints_one_json_document() -> None:
    done = gunbai("export")
    assert [pack["id"] for pack in json.loads(done.stdout)["packs"]] == ["fab", "ygo"]


def test_a_reader_that_goes_away_is_no_error() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "export", "--indent", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == b"{\n"
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) == 0


def test_a_terminal_that_knows_no_japanese_is_no_error() -> None:
    done = gunbai("ask", "fab 3.3", "--locale", "ja", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_piped_lines_are_a_conversation() -> None:
    done = gunbai("chat", text="4.1\n1\n/language ja\n/quit\n3.3\n")
    assert done.returncode == 0
    assert "Several sections may be meant" in done.stdout
    assert "4.1 Unsporting Conduct" in done.stdout
    assert "ペナルティ：警告 / 失格" in done.stdout
    assert "3.3" not in done.stdout, "nothing is answered after /quit"


def test_bytes_that_are_no_text_do_not_end_the_conversation() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "chat"],
        input=b"\xff\xfe\n\x00\n/penalties fab\n",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"Cheating" in done.stdout or "故意の違反".encode() in done.stdout


@pytest.mark.parametrize("arguments", [[], ["nope"], ["ask", "x", "--locale", "fr"]])
def test_a_wrong_call_is_refused_with_status_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2


@pytest.mark.parametrize(
    "command", ["", "ask", "chat", "check", "eval", "export", "learn", "schema"]
)
def test_every_help_text_has_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([*([command] if command else []), "--help"])
    assert "examples:\n  gunbai" in capsys.readouterr().out


class Terminal:
    """A chat in a real pseudo-terminal of 80 columns."""

    def __init__(self) -> None:
        self.seen = ""
        self.process, self._screen = self._start()

    @staticmethod
    def _start() -> tuple[subprocess.Popen[bytes], int]:
        screen, inner = pty.openpty()
        environment = {
            **os.environ,
            "TERM": "xterm",
            "COLUMNS": "80",
            "LINES": "40",
            "LANG": "C.UTF-8",
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "bot", "chat", "--locale", "en"],
            stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True,
        )  # fmt: skip
        os.close(inner)
        return process, screen

    def type(self, keys: str) -> None:
        os.write(self._screen, keys.encode())

    def wait_for(self, words: str, seconds: float = 20) -> None:
        until = time.monotonic() + seconds
        while words not in self.seen:
            assert time.monotonic() < until, f"{words!r} did not appear in {self.seen[-2000:]!r}"
            if select.select([self._screen], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self._screen, 65536).decode(errors="replace")
                except OSError:
                    assert words in self.seen
                    return

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._screen)


def test_a_conversation_in_a_terminal_completes_answers_and_ends() -> None:
    terminal = Terminal()
    try:
        terminal.wait_for("/help lists the commands")
        terminal.type("slow p")
        terminal.wait_for("FaB PPG 3.3")
        terminal.type("\x15fab 3.3\r")
        terminal.wait_for("Penalty: Caution")
        assert "\x1b[" in terminal.seen, "colours in a terminal"
        terminal.type("\x03")
        terminal.type("/quit\r")
        terminal.wait_for("Good luck at the tables.")
        assert terminal.process.wait(timeout=20) == 0
    finally:
        terminal.close()


def test_hints_repeat_the_options_that_were_given() -> None:
    done = gunbai("ask", "3.4", "--game", "fab", "--locale", "ja")
    assert "gunbai ask fab:3.4 --all --locale ja" in done.stdout


@pytest.mark.parametrize("columns", ["0", "5", "abc"])
def test_a_terminal_without_width_gets_80_columns(columns: str) -> None:
    assert "Penalty: Caution" in gunbai("ask", "fab 3.3", COLUMNS=columns).stdout


def test_a_full_disk_is_one_line_with_status_2() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "bot", "export"],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("gunbai: ")
    assert len(done.stderr.splitlines()) == 1


def test_an_empty_question_is_refused() -> None:
    done = gunbai("ask", "  ")
    assert done.returncode == 2
    assert "What are you looking for?" in done.stderr


def test_what_is_echoed_cannot_steer_the_terminal(tmp_path: Path) -> None:
    assert "\x1b" not in gunbai("ask", "3.1", "--game", "\x1b]0;x\x07").stderr
    pack = demo_pack.write(tmp_path)
    (pack / "z\x1b[31m\n.yaml").write_text('"\\e[2Jx\\nfab/1.yaml:1: fake": 1\n', encoding="utf-8")
    done = gunbai("check", "--data", str(tmp_path))
    assert "\x1b" not in done.stdout
    assert all(line.startswith(str(tmp_path)) for line in done.stdout.splitlines())


def test_a_batch_gets_one_object_a_line_in_order(tmp_path: Path) -> None:
    queries = ["fab 3.3", "zzzzqqqq", "opponent takes forever"]
    lines = "".join(json.dumps(query) + "\n" for query in queries)
    found = gunbai("ask", "--json", "--batch", "-", text=lines)
    answers = [json.loads(line) for line in found.stdout.splitlines()]
    assert [answer["confidence"] for answer in answers[:2]] == ["certain", "none"]
    assert answers[0]["hits"][0]["id"] == "fab:3.3"
    assert {"fab:3.3", "ygo:7.1"} <= {hit["id"] for hit in answers[2]["hits"]}
    file = tmp_path / "queries"
    file.write_text(lines, encoding="utf-8")
    assert gunbai("ask", "--json", "--batch", str(file)).stdout == found.stdout


@pytest.mark.parametrize(
    ("line", "message"), [("3.3 Slow", "-:1: "), ("{}", "a JSON string is needed")]
)
def test_a_batch_line_that_is_no_string_is_refused_by_its_number(line: str, message: str) -> None:
    done = gunbai("ask", "--json", "--batch", "-", text=line + "\n")
    assert done.returncode == 2
    assert message in done.stderr


def test_a_miss_by_number_shows_the_nearest_numbers() -> None:
    done = gunbai("ask", "fab 3.12")
    assert done.returncode == 1
    assert "The nearest numbers" in done.stdout
    assert "3.9 " in done.stdout


def test_choices_say_what_matched() -> None:
    done = gunbai("ask", "opponent takes forever every turn")
    assert "such as: " in done.stdout


def test_eval_scores_a_file_of_labelled_queries(tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    rows = [
        {"query": "slow play", "lang": "en", "game": "any", "kind": "exact", "expect": ["fab:3.3"]},
        {"query": "fab 4.1", "lang": "en", "game": "fab", "kind": "number", "expect": ["ygo:4.1"]},
        {"query": "hello", "lang": "en", "game": "any", "kind": "negative", "expect": []},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    report = json.loads(gunbai("eval", str(file), "--json").stdout)
    assert report["all"]["n"] == 2
    assert report["all"]["R@1"] == 0.5
    assert report["by_kind"]["exact"]["R@1"] == 1.0
    assert report["nothing"]["rejected"] == 1.0
    text = gunbai("eval", str(file), "--failures").stdout
    assert "certain fab 4.1 | ygo:4.1 | fab:4.1" in text
    assert all(len(line) <= 80 for line in text.splitlines())


UNKNOWN = '{"query": "a", "lang": "en", "game": "fab", "kind": "alias", "expect": ["fab:9.9"]}\n'


@pytest.mark.parametrize("content", ["", "{}\n", "not json\n", UNKNOWN])
def test_eval_refuses_a_file_it_cannot_read_by_line(tmp_path: Path, content: str) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text(content, encoding="utf-8")
    done = gunbai("eval", str(file))
    assert done.returncode == 2
    assert str(file) in done.stderr
