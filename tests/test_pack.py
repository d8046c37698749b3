"""The pack for a room without internet: from small wheels made here, and its own wheel made again.

Two tests need a package index: MHA_TUTOR_NETWORK=1 python -m pytest tests/test_pack.py
"""

from __future__ import annotations

import base64
import hashlib
import os
import socket
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.markers import Marker
from test_readme import run

from mha_tutor import installing
from mha_tutor.classroom.pack.markers import holds, needed, normal, read_requirement
from mha_tutor.classroom.pack.packing import fetch_for, put_readme, readme_text
from mha_tutor.classroom.pack.pip import Pip, _explained
from mha_tutor.classroom.pack.targets import PLATFORMS, Target, targets, this_machine, this_python
from mha_tutor.classroom.pack.trying import Runner, network_cutter, try_pack
from mha_tutor.classroom.pack.wheel import zipped
from mha_tutor.errors import InputError, WorkError

ROOT = Path(__file__).parents[1]
WINDOWS, MAC, LINUX = (Target(PLATFORMS[name], "3.12") for name in ("windows", "macos-arm", "linux"))
WINDOWS_TAG, LINUX_TAG = "cp312-cp312-win_amd64", "cp312-cp312-manylinux_2_27_x86_64.manylinux_2_28_x86_64"
HERE = f"cp{sys.version_info.major}{sys.version_info.minor}"


def wheel(
    folder: Path, name: str, *requires: str, tag: str = "py3-none-any", files: dict[str, str] | None = None
) -> Path:
    """A small wheel, as a build tool would make it."""
    info = f"{name}-1.0.dist-info"
    metadata = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0"]
    metadata += [f"Requires-Dist: {one}" for one in requires]
    metadata += [f"Provides-Extra: {extra}" for extra in ("course", "lab")]
    tags = "".join(f"Tag: {tag.rpartition('-')[0]}-{one}\n" for one in tag.rpartition("-")[2].split("."))
    contents = {
        f"{name}/__init__.py": "",
        **(files or {}),
        f"{info}/METADATA": "\n".join(metadata) + "\n",
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\n{tags}",
    }
    record = "".join(
        f"{path},sha256={_hash(text.encode())},{len(text.encode())}\n" for path, text in contents.items()
    )
    path = folder / f"{name}-1.0-{tag}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for one, text in {**contents, f"{info}/RECORD": f"{record}{info}/RECORD,,\n"}.items():
            archive.writestr(one, text)
    return path


def _hash(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


PROGRAM = """
import os, socket, sys
def main():
    port = int(os.environ.get("TEMP", "0") or 0)
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
        print("reached")
    except OSError:
        print("cut", sys.argv[1:])
"""


def small_program(folder: Path, *requires: str, code: str = PROGRAM) -> Path:
    """A wheel called mha-tutor with a program that says whether it reaches a server."""
    entry = {
        "mha_tutor-1.0.dist-info/entry_points.txt": "[console_scripts]\nmha-tutor = mha_tutor.cli:main\n"
    }
    return wheel(folder, "mha_tutor", *requires, files={"mha_tutor/cli.py": code, **entry})


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """A folder of wheels: one package for each machine, some needed on one kind of machine alone."""
    folder = tmp_path / "index"
    folder.mkdir()
    for tag in (WINDOWS_TAG, LINUX_TAG):
        wheel(folder, "matrices", tag=tag)
    wheel(folder, "colours", 'Win_Only>=1.0; sys_platform == "win32"', 'never; python_version < "3"')
    wheel(folder, "win_only", 'deeper[some]; platform_system == "Windows"')
    wheel(folder, "deeper", 'deepest; extra == "some"', 'never; extra == "other"')
    wheel(folder, "deepest")
    wheel(folder, "notebooks", 'mac_only; platform_system == "Darwin"')
    return folder


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    return small_program(folder, "matrices", "colours", 'notebooks; extra == "course"')


def names(folder: Path) -> set[str]:
    return {path.name.partition("-")[0] for path in folder.glob("*.whl")} - {"mha_tutor"}


def fetched(own: Path, target: Target, index: Path, *extras: str) -> str:
    wheels, pip = own.parent, Pip.found()
    return fetch_for(target, own, extras, wheels, pip.only_from(wheels), pip.only_from(index))


def test_each_machine_gets_what_it_needs_also_what_this_one_does_not(own: Path, index: Path) -> None:
    assert fetched(own, LINUX, index).startswith("linux, Python 3.12: 3 wheels")
    assert names(own.parent) == {"matrices", "colours"}
    assert fetched(own, WINDOWS, index).startswith("windows, Python 3.12: 6 wheels")
    assert names(own.parent) == {"matrices", "colours", "win_only", "deeper", "deepest"}
    assert (own.parent / f"matrices-1.0-{WINDOWS_TAG}.whl").exists()


def test_what_is_there_needs_no_network_and_is_left_alone(own: Path, index: Path, tmp_path: Path) -> None:
    fetched(own, LINUX, index, "course")
    assert names(own.parent) == {"matrices", "colours", "notebooks"}, "an extra, since it was asked for"
    before = {path.name: path.stat().st_mtime_ns for path in own.parent.iterdir()}
    (tmp_path / "empty").mkdir()
    said = fetched(own, LINUX, tmp_path / "empty", "course")
    assert said.startswith("linux, Python 3.12: all 4 wheels were there")
    assert {path.name: path.stat().st_mtime_ns for path in own.parent.iterdir()} == before


def test_a_wheel_that_is_missing_is_named_with_its_machine(own: Path, index: Path) -> None:
    with pytest.raises(WorkError, match=r"no wheel of matrices for macos-arm, Python 3\.12"):
        fetched(own, MAC, index)


def test_no_network_is_told_as_such(own: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.upper().startswith("PIP_")]:
        monkeypatch.delenv(name)
    for name, value in (("CONFIG_FILE", os.devnull), ("INDEX_URL", "http://127.0.0.1:9/"), ("RETRIES", "1")):
        monkeypatch.setenv(f"PIP_{name}", value)
    pip = Pip.found()
    with pytest.raises(WorkError, match="pip reached no package index"):
        fetch_for(LINUX, own, (), own.parent, pip.only_from(own.parent), pip)


def test_a_missing_or_old_pip_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installing, "pip_version", lambda python: ())
    with pytest.raises(WorkError, match="pip is missing"):
        Pip.found()
    monkeypatch.setattr(installing, "pip_version", lambda python: (21, 3))
    with pytest.raises(WorkError, match=r"pip 21\.3 of .* is too old"):
        Pip.found()


def test_what_pip_says_is_kept_when_nothing_better_is_known() -> None:
    broken = "NewConnectionError ... (from versions: 1.0, 2.0)\nERROR: No matching distribution found for a>3"
    assert "There is no wheel of a>3 for linux" in _explained(broken, LINUX)
    assert "ERROR: no space left" in _explained("Collecting\nERROR: no space left\nHint: x", LINUX)


MARKERS = [
    'sys_platform == "win32"',
    'sys_platform != "win32" and python_version >= "3.12"',
    "platform_system=='Windows' or (os_name == 'nt' and python_version < '3.9')",
    'python_version in "3.10 3.11, 3.12"',
    'python_version not in "3.12"',
    'python_full_version >= "3.12.0" and implementation_name == "cpython"',
    '"win" in sys_platform',
    'platform_machine == "arm64" or extra == "Some-Thing"',
    'extra == "some_thing"',
    'python_version ~= "3.10"',
    'platform_python_implementation != "PyPy" and sys_platform == "win32"',
]


@pytest.mark.parametrize("marker", MARKERS)
@pytest.mark.parametrize("target", targets((), ("3.11", "3.12", "3.13")), ids=lambda target: target.name)
def test_a_condition_holds_where_packaging_says_so(marker: str, target: Target) -> None:
    for extra in ("", "some-thing"):
        there = {**target.markers, "extra": extra}
        assert holds(marker, there) == Marker(marker).evaluate(there)


ATOMS = st.builds(
    lambda name, how, value: f"{name} {how} '{value}'",
    st.sampled_from(["sys_platform", "os_name", "platform_system"]),
    st.sampled_from(["==", "!="]),
    st.sampled_from(["win32", "linux", "nt", "posix", "Darwin"]),
)


@given(
    st.recursive(
        ATOMS,
        lambda part: st.builds("({} {} {})".format, part, st.sampled_from(["and", "or"]), part),
        max_leaves=6,
    ),
    st.sampled_from(list(PLATFORMS)),
)
def test_any_combination_of_conditions_is_read_as_packaging_reads_it(marker: str, name: str) -> None:
    there = {**Target(PLATFORMS[name], "3.12").markers, "extra": ""}
    assert holds(marker, there) == Marker(marker).evaluate(there)


def test_a_requirement_is_read_with_its_extras_and_its_condition() -> None:
    one = read_requirement('Jupyter_Server[Test,docs] (>=2.0,<3) ; os_name == "nt"')
    assert (one.name, one.extras) == ("jupyter-server", {"test", "docs"})
    assert (one.text, one.condition) == ("Jupyter_Server[Test,docs] (>=2.0,<3)", 'os_name == "nt"')
    assert [r.name for r in needed(["a", "b; extra == 'x'", "c; extra == 'y'"], LINUX.markers, ["y"])] == [
        "a",
        "c",
    ]
    assert normal("A.b__c") == "a-b-c"
    for broken in ("", "sys_platform ==", "nonsense == '1'", "f('x')"):
        with pytest.raises(ValueError, match="cannot be read"):
            holds(broken, LINUX.markers)


@pytest.mark.parametrize(
    ("platforms", "pythons", "said"),
    [
        (("window",), (), "Did you mean 'windows'"),
        ((), ("3.10",), r"3\.11 is the oldest"),
        ((), ("2.7",), "does not do"),
        ((), ("3",), "does not do"),
        ((), ("3.x",), "does not do"),
    ],
)
def test_machines_that_are_none_are_refused(
    platforms: tuple[str, ...], pythons: tuple[str, ...], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        targets(platforms, pythons)


def test_all_platforms_and_this_python_are_meant_when_nothing_is_said() -> None:
    assert [one.platform.name for one in targets((), ())] == list(PLATFORMS)
    assert {one.python for one in targets((), ())} == {this_python()}
    assert len(targets(("linux", "linux"), ("3.11", "3.12", "3.11"))) == 2


# --- the program's own wheel


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """The wheel of this source tree, made without a build tool, and a Python into which pip put it."""
    place = tmp_path_factory.mktemp("own")
    files = {
        str(path.relative_to(ROOT).as_posix()): path.read_bytes()
        for path in (ROOT / "mha_tutor").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    for folder in ("course", "notebooks"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                files[f"mha_tutor/course/material/{path.relative_to(ROOT).as_posix()}"] = path.read_bytes()
    info = "mha_tutor-9.9.dist-info"
    files |= {
        f"{info}/METADATA": b"Metadata-Version: 2.1\nName: mha-tutor\nVersion: 9.9\n",
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": b"[console_scripts]\nmha-tutor = mha_tutor.cli:main\n",
        f"{info}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
    }
    lines = "".join(f"{path},sha256={_hash(text)},{len(text)}\n" for path, text in files.items())
    files[f"{info}/RECORD"] = f"{lines}{info}/RECORD,,\n".encode()
    path = place / "mha_tutor-9.9-py3-none-any.whl"
    path.write_bytes(zipped(files))
    yield path, environment(place / "env", path)


def environment(home: Path, own: Path) -> Path:
    """A Python of its own with that wheel, and everything else of this one behind it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    command = [
        *Pip.found().command,
        "--python",
        str(python),
        "install",
        "-q",
        "--no-index",
        "--no-deps",
        "--no-compile",
    ]
    subprocess.run([*command, str(own)], check=True, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    place = subprocess.run([python, "-c", where], check=True, capture_output=True, text=True).stdout.strip()
    (Path(place) / "behind.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return python


MAKE = """
import sys
from pathlib import Path
from mha_tutor.classroom.pack.pip import Pip
from mha_tutor.classroom.pack.wheel import own_wheel
from mha_tutor.errors import WorkError
try:
    print(own_wheel(Path(sys.argv[1]), Pip(("no", "pip"))))
except WorkError as error:
    sys.exit(f"told: {error}")
"""


def made_again(python: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    folder.mkdir(exist_ok=True)
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [python, "-c", MAKE, str(folder)],
        env=environ, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_an_installed_program_makes_its_own_wheel_again(installed: tuple[Path, Path], tmp_path: Path) -> None:
    original, python = installed
    first, second = (made_again(python, tmp_path / name) for name in "ab")
    assert first.returncode == 0 == second.returncode, first.stderr
    one, other = (Path(done.stdout.strip()) for done in (first, second))
    assert one.name == original.name and one.read_bytes() == other.read_bytes()
    here, there = contents(original), contents(one)
    record = "mha_tutor-9.9.dist-info/RECORD"
    assert sorted(here.pop(record).splitlines()) == sorted(there.pop(record).splitlines())
    assert here == there
    assert made_again(python, tmp_path / "a").returncode == 0, "the same wheel is no other build"
    again = environment(tmp_path / "env", one)
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    said = subprocess.run(
        [again.with_name("mha-tutor"), "step", "--heads", "3", "--stage", "softmax"],
        env={**environ, "NO_COLOR": "1"}, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8",
        check=False,
    )  # fmt: skip
    assert said.returncode == 0 and "Softmax" in said.stdout, said.stderr


def test_a_file_that_was_changed_makes_no_wheel(installed: tuple[Path, Path], tmp_path: Path) -> None:
    original, _ = installed
    python = environment(tmp_path / "env", original)
    (file,) = (tmp_path / "env").rglob("mha_tutor/errors.py")
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    done = made_again(python, tmp_path / "out")
    assert done.returncode == 1 and "errors.py has changed since mha-tutor was installed" in done.stderr
    assert not list((tmp_path / "out").iterdir())


def test_another_build_is_never_overwritten(installed: tuple[Path, Path], tmp_path: Path) -> None:
    original, python = installed
    place = tmp_path / "out"
    place.mkdir()
    (place / original.name).write_bytes(b"mine")
    done = made_again(python, place)
    assert done.returncode == 1 and "is another build of mha-tutor" in done.stderr
    assert (place / original.name).read_bytes() == b"mine"


# --- the README, and the trial


def test_the_readme_has_a_line_for_each_system_and_needs_no_rights() -> None:
    text = readme_text([WINDOWS, LINUX], ("course", "lab"))
    for line in (
        'py -3.12 -m venv "%USERPROFILE%\\mha-tutor"',
        'pip install --no-index --find-links wheels "mha-tutor[course,lab]"',
        "~/mha-tutor/bin/mha-tutor step --heads 3",
        "--without-pip",
        "mha-tutor course lab",
        "Python 3.12.",
        "windows, linux",
    ):
        assert line in text
    assert "\n  py -m venv" in readme_text(targets((), ("3.11", "3.12")), ())
    assert "sudo" not in text and "{" not in text and text.isascii()
    assert "course" not in readme_text([WINDOWS], ()).rpartition("and in each new one")[2]


def test_the_readme_has_no_line_for_a_system_that_is_not_in_the_pack() -> None:
    linux, windows = (readme_text(targets((name,), ("3.12",)), ()) for name in ("linux", "windows"))
    assert "USERPROFILE" not in linux and "macOS" not in linux and "py --version" not in linux
    assert "~/mha-tutor" not in windows and "python3" not in windows and "Linux" not in windows
    macs = readme_text(targets(("macos-arm", "macos-intel"), ()), ())
    assert macs.count("python3 -m venv ~/mha-tutor") == 1 and "Linux" not in macs


def test_the_readme_goes_to_the_folder_of_the_course_and_names_one_source_of_it() -> None:
    lines = readme_text([LINUX], ("course", "lab")).splitlines()
    start = lines.index("  mha-tutor course start my-course")
    assert lines[start + 1 : start + 3] == ["  cd my-course", "  mha-tutor course check"]
    assert lines[start + 3].startswith("  mha-tutor course lab")
    assert not any(line.startswith("  course ") for line in lines)
    assert any(line.startswith("  course ") for line in readme_text([LINUX], ()).splitlines())


def test_a_readme_that_is_there_stays(tmp_path: Path) -> None:
    assert "README.txt" in put_readme(tmp_path, [WINDOWS], ())
    before = (tmp_path / "README.txt").read_bytes()
    assert b"\r\n" in before
    put_readme(tmp_path, [WINDOWS], ())
    assert [path.name for path in tmp_path.iterdir()] == ["README.txt"]
    assert "README-2.txt" in put_readme(tmp_path, [LINUX], ("course",))
    assert (tmp_path / "README.txt").read_bytes() == before and (tmp_path / "README-2.txt").exists()


@pytest.mark.skipif(this_machine() is None, reason="packs are not made for this machine")
def test_a_pack_is_tried_with_the_network_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wheels").mkdir()
    small_program(tmp_path / "wheels", "colours")
    wheel(tmp_path / "wheels", "colours")
    told: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("TEMP", str(server.getsockname()[1]))  # one of the few variables that are kept
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        try_pack(tmp_path, (), told.append)
        server.settimeout(0.01)
        if network_cutter():
            with pytest.raises(TimeoutError):
                server.accept()
    assert "Done: 'mha-tutor step --heads 3' runs" in told[-1]
    assert ("without any network" in told[0]) == bool(network_cutter())


@pytest.mark.skipif(this_machine() is None, reason="packs are not made for this machine")
def test_a_pack_that_does_not_work_is_told_also_by_a_python_without_ensurepip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = Runner.tried

    def without_ensurepip(runner: Runner, *command: str) -> subprocess.CompletedProcess[str]:
        if command[1:3] == ("-m", "venv") and "--without-pip" not in command:
            return subprocess.CompletedProcess(command, 1, "", "ensurepip is not available")
        return tried(runner, *command)

    monkeypatch.setattr(Runner, "tried", without_ensurepip)
    with pytest.raises(WorkError, match="is no pack"):
        try_pack(tmp_path, (), print)
    (tmp_path / "wheels").mkdir()
    small_program(tmp_path / "wheels", code="def main():\n    raise SystemExit('no screen')\n")
    with pytest.raises(WorkError, match="'mha-tutor step --heads 3' ends with: no screen"):
        try_pack(tmp_path, (), print)


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("class pack --out x --platform window", 2, "Did you mean 'windows'"),
        ("class pack --out x --python 3.9", 2, "3.11 is the oldest"),
        ("class pack --out x --with labs", 2, "Did you mean 'lab'"),
        ("class pack --out x --from nowhere", 2, "'nowhere' is no folder"),
        ("class pack --out file", 2, "is a file"),
        ("class pack --out x --check", 1, "is no pack"),
    ],
)
def test_wrong_usage_is_told(command: str, code: int, said: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    result = run(f"mha-tutor {command}", tmp_path)
    assert (result.returncode, result.stdout) == (code, "") and said in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(not os.environ.get("MHA_TUTOR_NETWORK"), reason="needs a package index; see the top")
def test_a_real_pack_is_made_and_tried(tmp_path: Path) -> None:
    machine = this_machine()
    assert machine is not None
    making = ["--platform", machine.platform.name, "--platform", "windows", "--with", "course"]
    for arguments in (making, making, ["--with", "course", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "mha_tutor", "class", "pack", "--out", "room", *arguments],
            cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert "runs" in done.stdout
    wheels = {path.name for path in (tmp_path / "room" / "wheels").iterdir()}
    assert any("win_amd64" in name and name.startswith("numpy-") for name in wheels)
    assert any(name.startswith("colorama-") for name in wheels), "what only Windows needs"
