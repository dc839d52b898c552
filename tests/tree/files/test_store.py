"""Files on the disk: what cannot be read is named, what is written is whole."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.disk import files_of_at_most

from infoset.errors import FileError
from infoset.files import read_text, write_lines
from infoset.tree import Builder, Tree
from infoset.tree.files import load, save


def small(name: str = "small", comment: str = "") -> Tree:
    b = Builder(["one"], name, comment)
    b.pay(b.root, [1])
    return b.build()


def refused(path: Path | str) -> str:
    with pytest.raises(FileError) as problem:
        load(path)
    assert "\n" not in str(problem.value)
    return str(problem.value)


def test_missing_folder_and_unknown_suffix(tmp_path):
    assert refused(tmp_path / "x.efg").endswith("x.efg: there is no such file")
    (tmp_path / "folder.efg").mkdir()
    assert refused(tmp_path / "folder.efg").endswith("this is a folder; name a file")
    assert "the suffix '.txt' is not known; game files end in .efg or .nfg" in refused("x.txt")
    assert "there is no suffix" in refused("x")
    assert "this cannot be the name of a file" in refused("x\0.efg")
    assert "this cannot be the name of a file" in refused("\ud800.efg")
    assert "File name too long" in refused("x" * 300 + ".efg")
    with pytest.raises(FileError, match="there is no such folder"):
        save(small(), tmp_path / "nowhere" / "x.efg")
    with pytest.raises(FileError, match="this is a folder"):
        save(small(), tmp_path / "folder.efg")
    with pytest.raises(FileError, match="is not known"):
        save(small(), tmp_path / "x.txt")


def test_no_permission(tmp_path, monkeypatch):
    (tmp_path / "x.efg").write_text("EFG")

    def no(*_args: object, **_names: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", no)
    assert refused(tmp_path / "x.efg").endswith("permission denied; it cannot be read")
    monkeypatch.setattr(os, "open", no)
    with pytest.raises(FileError, match="permission denied; it cannot be written"):
        save(small(), tmp_path / "y.efg")


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.efg")
    assert refused(tmp_path / "pipe.efg").endswith("not a regular file; name a file")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x7fELF\x02\0\0\0", ": byte 6 is 0; this is a binary file, not text"),
        (b"\x1f\x8b\x08\x01\x02", ":1:2: byte 0x8b is not UTF-8; this is a binary file, not text"),
        (
            'EFG 2 R "caf\xe9" {'.encode("latin-1"),
            ":1:13: byte 0xe9 is not UTF-8; this seems to be",
        ),
        ('EFG\n2 R "é" "caf\xe9"'.encode()[:-3] + b"\xff", ":2:13: byte 0xff is not UTF-8"),
        ('EFG 2 R "t"'.encode("utf-16"), ": this is UTF-16 text; save it as UTF-8"),
        (b"EFG 2 R " + b" " * 9000 + b"\0", ": byte 9,009 is 0; this is a binary file"),
    ],
)
def test_what_is_no_text(tmp_path, data, message):
    path = tmp_path / "x.efg"
    path.write_bytes(data)
    assert refused(path).startswith(f"{path}{message}")


def test_saving_replaces_in_one_step(tmp_path):
    path = tmp_path / "x.efg"
    save(small("old"), path)
    path.chmod(0o640)
    with open(path) as before:
        save(small("new", 'a "comment"'), path)
        assert '"old"' in before.read()  # whoever has the old file open keeps it
    assert load(path) == small("new", 'a "comment"')
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["x.efg"]


def test_a_new_file_is_as_open_as_others(tmp_path):
    save(small(), tmp_path / "x.efg")
    (tmp_path / "y").write_text("")
    assert (tmp_path / "x.efg").stat().st_mode == (tmp_path / "y").stat().st_mode


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link.efg").symlink_to(tmp_path / "x.efg")
    save(small("one"), tmp_path / "link.efg")
    save(small("two"), tmp_path / "link.efg")
    assert (tmp_path / "link.efg").is_symlink()
    assert load(tmp_path / "x.efg").name == "two"


def without_nameless_files(monkeypatch):
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)


def without_proc(monkeypatch):
    def no(*_args: object, **_names: object) -> None:
        raise FileNotFoundError(2, "no /proc")

    monkeypatch.setattr(os, "link", no)


@pytest.fixture(params=[lambda _: None, without_nameless_files, without_proc])
def _system(request, monkeypatch):
    request.param(monkeypatch)


@pytest.mark.usefixtures("_system")
def test_failures_leave_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "x.efg"
    save(small("old"), path)
    old = path.read_text()

    def breaks():
        yield "EFG" * 100_000
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_lines(path, breaks())
    with pytest.raises(FileError, match="NUL"):
        save(small("new", "\0"), path)
    with files_of_at_most(100_000), pytest.raises(FileError, match="written: File too large"):
        write_lines(path, ["x" * 1000] * 1000)
    assert path.read_text() == old
    assert os.listdir(tmp_path) == ["x.efg"]
    write_lines(path, ["é\r\n", "\n"])
    assert read_text(path) == "é\r\n\n"
    assert os.listdir(tmp_path) == ["x.efg"]


def test_a_disk_that_fails_at_the_last_moment(tmp_path, monkeypatch):
    def full(_number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="it cannot be written: No space left on device"):
        save(small(), tmp_path / "x.efg")
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="this system has no files without a name")
def test_a_killed_process_leaves_nothing_behind(tmp_path):
    path = tmp_path / "x.efg"
    path.write_text("old")
    program = (
        "import sys\nfrom infoset.files import write_lines\n"
        "def lines():\n"
        "    for count in range(10**9):\n"
        "        if count == 200: print('writing', flush=True)\n"
        "        yield 'x' * 10_000 if count < 1000 else sys.stdin.readline()\n"
        "write_lines(sys.argv[1], lines())\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:  # type: ignore[call-overload]
        assert process.stdout.readline() == b"writing\n"
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["x.efg"]


def test_plain_labels_change_nothing_but_signs():
    from infoset.games import leduc
    from infoset.tree.files import is_plain, plain_labels, write_efg

    tree = leduc().tree()
    assert not is_plain(tree)
    plain = plain_labels(tree)
    assert is_plain(plain)
    assert write_efg(plain).isascii()
    assert plain.infosets[0].label == "Js"
    assert (plain.parent == tree.parent).all()
    assert [n.payoffs for n in plain.leaves] == [n.payoffs for n in tree.leaves]
