"""The one file in which a quiz is kept for next time. Trouble with it costs nothing but a message."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile

from ...quiz.kept import Answered, Kept, NewerFormatError
from ...quiz.wording import file_text

HOME = "MHA_TUTOR_HOME"


def data_home(environ: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Where this system keeps a program's own files; MHA_TUTOR_HOME goes before it."""
    if own := environ.get(HOME):
        return Path(own)
    home = Path(environ.get("HOME") or Path.home())
    if platform == "win32":
        base = environ.get("LOCALAPPDATA") or environ.get("APPDATA") or home
    elif platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        given = environ.get("XDG_DATA_HOME", "")
        base = given if given.startswith("/") else home / ".local" / "share"  # relative ones are ignored
    return Path(base) / "mha-tutor"


class QuizFile:
    """What was ``kept``, and each answer written at once. ``trouble`` is for the reader to know.

    The first answer begins a new quiz, unless one has ``begun``.
    """

    def __init__(self, folder: Path, *, begun: bool = False) -> None:
        self.path = folder / "quiz.json"
        self.trouble = ""
        self.writable = True
        self._begun = begun
        self.kept = self._read()

    def keep(self, answered: Answered) -> None:
        """Keep an answer. The file is read anew, as another quiz may have written it meanwhile."""
        if self.writable:
            self.kept = self._read()
        self.kept = (self.kept if self._begun else self.kept.begun()).after(answered)
        self._begun = True
        if self.writable:
            try:
                self._write()
            except OSError as error:
                self._give_up("unwritable", path=self.path, reason=error.strerror or error)

    def _read(self) -> Kept:
        try:
            return Kept.from_json(json.loads(self.path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return Kept()
        except NewerFormatError as newer:
            self._give_up("newer", version=newer, path=self.path)
        except OSError as error:
            self._give_up("unwritable", path=self.path, reason=error.strerror or error)
        except (ValueError, RecursionError) as error:
            self._put_aside(error)
        return Kept()

    def _put_aside(self, error: Exception) -> None:
        """Nothing is thrown away: a broken file gets another name."""
        aside = self.path.with_name("quiz.broken.json")
        try:
            self.path.replace(aside)
        except OSError as other:
            self._give_up("unwritable", path=self.path, reason=other.strerror or other)
        else:
            self.trouble = file_text("broken", aside=aside, reason=error)

    def _give_up(self, key: str, **values: object) -> None:
        self.writable, self.trouble = False, file_text(key, **values)

    def _write(self) -> None:
        """The whole file or none of it: a new one takes the place of the old."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"about": file_text("about"), **self.kept.as_json()}, indent=2, ensure_ascii=False)
        with NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=self.path.parent, prefix="quiz.", delete=False
        ) as file:
            try:
                file.write(text + "\n")
                file.close()
                Path(file.name).replace(self.path)
            except OSError:
                Path(file.name).unlink(missing_ok=True)
                raise
