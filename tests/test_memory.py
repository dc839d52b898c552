"""Memory that is available: the machine's, or what a container leaves of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from infoset import memory

MIB = 2**20
MACHINE = {"proc/meminfo": "MemTotal: 16777216 kB\nMemAvailable: 8388608 kB\n"}
FREE = 8192 * MIB

CASES: dict[str, tuple[dict[str, str], int]] = {
    "no container": ({}, FREE),
    "version 2": (
        {
            "proc/self/cgroup": "0::/\n",
            "sys/fs/cgroup/memory.max": f"{1024 * MIB}\n",
            "sys/fs/cgroup/memory.current": f"{300 * MIB}\n",
        },
        724 * MIB,
    ),
    "version 2, files in its cache": (
        {
            "proc/self/cgroup": "0::/user/job\n",
            "sys/fs/cgroup/user/job/memory.max": f"{1024 * MIB}",
            "sys/fs/cgroup/user/job/memory.current": f"{1000 * MIB}",
            "sys/fs/cgroup/user/job/memory.stat": f"anon {1 * MIB}\ninactive_file {600 * MIB}\n",
        },
        624 * MIB,
    ),
    "version 2, a limit further up": (
        {
            "proc/self/cgroup": "0::/user/job\n",
            "sys/fs/cgroup/user/job/memory.max": "max\n",
            "sys/fs/cgroup/user/job/memory.current": f"{10 * MIB}",
            "sys/fs/cgroup/user/memory.max": f"{500 * MIB}",
            "sys/fs/cgroup/user/memory.current": f"{100 * MIB}",
        },
        400 * MIB,
    ),
    "version 1": (
        {
            "proc/self/cgroup": "5:devices:/\n4:memory:/docker/8f3\n0::/\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": f"{2048 * MIB}\n",
            "sys/fs/cgroup/memory/memory.usage_in_bytes": f"{48 * MIB}\n",
        },
        2000 * MIB,
    ),
    "version 1 without a limit": (
        {
            "proc/self/cgroup": "4:cpu,memory:/\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/memory/memory.usage_in_bytes": f"{48 * MIB}\n",
        },
        FREE,
    ),
    "over its limit": (
        {
            "proc/self/cgroup": "0::/\n",
            "sys/fs/cgroup/memory.max": "1000\n",
            "sys/fs/cgroup/memory.current": "1200\n",
        },
        0,
    ),
    "nonsense": (
        {
            "proc/self/cgroup": "nothing\n0::\n\n",
            "sys/fs/cgroup/memory.max": "\n",
            "sys/fs/cgroup/memory.current": "much\n",
        },
        FREE,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_limit_of_a_container_counts(case: str, tmp_path: Path) -> None:
    files, room = CASES[case]
    for name, content in (MACHINE | files).items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    assert memory.available(tmp_path) == room
