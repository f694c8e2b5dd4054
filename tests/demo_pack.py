"""A small rulebook of an invented game, written to disk for tests of reading and checking."""

from pathlib import Path

PACK = """\
id: demo
game: {ja: "デモ", en: "Demo"}
name: {ja: "デモ規定", en: "Demo Rules"}
short: {ja: "デモ", en: "Demo"}
publisher: "Nobody"
editions:
  - language: ja
    date: 2026-01-01
    text: {ja: "日本語版。", en: "The Japanese edition."}
disclaimer: {ja: "非公式。", en: "Unofficial."}
ladder:
  - code: note
    severity: 0
    name: {ja: "注意", en: "Note"}
    readings: ["ちゅうい"]
    short: {ja: "注意", en: "Note"}
    section: "demo:1/note"
    recorded: false
    ends: nothing
    effect: {ja: "伝えるだけ。", en: "Only said."}
  - code: loss
    severity: 1
    name: {ja: "敗北", en: "Loss"}
    readings: ["はいぼく"]
    short: {ja: "敗北", en: "Loss"}
    section: "demo:1/loss"
    recorded: true
    ends: game
    effect: {ja: "負けになる。", en: "The game is lost."}
  - code: out
    severity: 2
    name: {ja: "退場", en: "Out"}
    readings: ["たいじょう"]
    short: {ja: "退場", en: "Out"}
    section: "demo:1/out"
    recorded: true
    ends: tournament
    effect: {ja: "大会から外れる。", en: "Out of the tournament."}
chapters:
  - {number: "1", name: {ja: "総則", en: "General"}}
  - number: "2"
    name: {ja: "違反", en: "Infractions"}
    often_asked: ["demo:2.2"]
    repeat:
      section: "demo:1"
      force: must
      threshold: 2
      levels: 1
      cap: out
      scope: day
      exempt: ["demo:2.1"]
handling:
  confirmation: {section: "demo:1", at_least: loss, exempt: ["demo:2.1"]}
facts:
  minutes:
    kind: number
    ask: {ja: "何分か", en: "How many minutes"}
  level:
    kind: choice
    ask: {ja: "どの水準か", en: "Which level"}
    choices:
      - {code: low, name: {ja: "低", en: "Low"}}
documents:
  - code: other
    name: {ja: "別文書", en: "Other"}
    short: "OTH"
    sections:
      - {number: "6.2", name: {ja: "別項", en: "Elsewhere"}}
sections:
  - "demo:1"
  - "demo:1/note"
  - "demo:1/loss"
  - "demo:1/out"
  - "demo:2"
  - "demo:2.1"
  - "demo:2.2"
"""

GENERAL = """\
id: "demo:1"
kind: general
name: {ja: "総則", en: "General part"}
readings: ["そうそく"]
definition: {ja: "全体の決まり。", en: "What holds for all of it."}
"""

GROUP = """\
id: "demo:2"
kind: group
name: {ja: "違反一般", en: "Infractions at large"}
readings: ["いはんいっぱん"]
definition: {ja: "違反のまとまり。", en: "All infractions."}
"""

LATE = """\
id: "demo:2.1"
kind: infraction
name: {ja: "遅れ", en: "Lateness"}
readings: ["おくれ"]
aliases:
  ja: ["遅刻"]
  en: ["tardy"]
penalty: loss
definition: {ja: "時間に来ない。", en: "Not there in time."}
examples:
  - ja: "5分遅れた。"
    en: "Five minutes late."
if_both: judge
adjustments:
  - direction: downgrade
    to: note
    force: must
    condition: {fact: minutes, op: "<", value: 1}
    text: {ja: "1分未満。", en: "Under a minute."}
  - direction: upgrade
    to: out
    force: may
    condition: {judgement: on-purpose}
    text: {ja: "わざとなら。", en: "On purpose."}
judgements:
  on-purpose: {ja: "わざとか", en: "On purpose?"}
outcomes:
  - who: opponent
    penalty: note
    under: "demo:2.2"
    text: {ja: "相手にも。", en: "The opponent too."}
references:
  - to: "demo:2.2"
    why: {ja: "遅い行為。", en: "On slowness."}
  - document: other
    number: "6.2"
    why: {ja: "別の文書。", en: "Another document."}
"""

SLOW = """\
id: "demo:2.2"
kind: infraction
name: {ja: "遅い行為", en: "Slowness"}
readings: ["おそいこうい"]
penalty: note
definition: {ja: "長く考える。", en: "Thinks for long."}
"""

RUNG = """\
id: "demo:1/{code}"
kind: penalty
name: {{ja: "{ja}の説明", en: "About {code}"}}
readings: ["せつめい"]
penalty: {code}
definition: {{ja: "罰の一つ。", en: "One of the penalties."}}
"""

FILES = {
    "pack.yaml": PACK,
    "1.yaml": GENERAL,
    "1-note.yaml": RUNG.format(code="note", ja="注意"),
    "1-loss.yaml": RUNG.format(code="loss", ja="敗北"),
    "1-out.yaml": RUNG.format(code="out", ja="退場"),
    "2.yaml": GROUP,
    "2.1.yaml": LATE,
    "2.2.yaml": SLOW,
}


def write(folder: Path) -> Path:
    """Write the rulebook below ``folder`` and return the folder of its files."""
    pack = folder / "demo"
    pack.mkdir()
    for name, content in FILES.items():
        (pack / name).write_text(content, encoding="utf-8")
    return pack
