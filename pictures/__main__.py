"""Draw every picture anew.

python -m pictures [FOLDER]
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from bot import i18n, resources
from bot.chat.desk import Desk
from bot.chat.metrics import Metrics
from bot.chat.shelf import Shelf
from pictures import browser, scenes

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"


def main(folder: Path) -> int:
    """Write the pictures to ``folder`` and return the exit status."""
    try:
        command = browser.found()
        with tempfile.TemporaryDirectory() as cache:
            catalogue = i18n.load(resources.folder("locales"))
            shelf = Shelf(resources.folder("policy_data"), Path(cache), catalogue)
            shelf.current.index.wait()  # as the bot answers once it has run for a few seconds
            drawn = list(scenes.pictures(Desk(shelf, catalogue, Metrics())))
        folder.mkdir(parents=True, exist_ok=True)
        heights = browser.heights(command, [picture.body for picture in drawn])
        for picture, height in zip(drawn, heights, strict=True):
            file = folder / f"{picture.name}.png"
            browser.take(command, picture.html, height, file)
            print(f"{file.name}  {file.stat().st_size / 1000:.0f} kB")
    except (browser.MissingError, OSError, subprocess.SubprocessError) as error:
        print(f"pictures: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else FOLDER))
