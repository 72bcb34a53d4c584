"""Runs a whole process and says what it took: time, processor, memory of its whole tree, and what it printed."""

import os
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass

PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 1e6
LOOK_EVERY_SECONDS = 0.02


@dataclass(frozen=True)
class Sample:
    """One run of one command."""

    seconds: float
    """On the clock, from its start to its end."""
    processor_seconds: float
    """Of the process and all it started, as the kernel counts."""
    peak_mb: float
    """The most that the process and all it started held at once, in millions of bytes."""
    printed: str


class Failed(Exception):
    """A command that did not end well."""


def measure(command: tuple[str, ...]) -> Sample:
    """Runs a command to its end.

    Raises Failed where its exit code is not 0.
    """
    with tempfile.TemporaryFile("w+") as printed, tempfile.TemporaryFile("w+") as said:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=printed, stderr=said, start_new_session=True)
        watch = Watch(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        tree_mb = watch.end()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            said.seek(0)
            raise Failed(f"{' '.join(command[:3])} … ended with exit code {process.returncode}: {said.read()[-800:]}")
        printed.seek(0)
        # The largest single process is known exactly; between two looks a tree may have been a little larger.
        peak_mb = max(tree_mb, usage.ru_maxrss * 1024 / 1e6)
        return Sample(seconds, usage.ru_utime + usage.ru_stime, peak_mb, printed.read())


class Watch:
    """Looks at the memory of every process of a session, time and again, until it is told to end."""

    def __init__(self, session: int) -> None:
        self.session = session
        self.peak_mb = 0.0
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)
        self.thread.start()

    def look(self) -> None:
        """Keeps the largest sum seen."""
        while not self.is_over.wait(LOOK_EVERY_SECONDS):
            self.peak_mb = max(self.peak_mb, resident_mb(self.session))

    def end(self) -> float:
        """The largest sum, in millions of bytes."""
        self.is_over.set()
        self.thread.join()
        return self.peak_mb


def resident_mb(session: int) -> float:
    """What the processes of a session hold in memory now; pages that two of them share count twice."""
    pages = 0
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue  # It has ended since.
        if int(fields[3]) == session:
            pages += int(fields[21])
    return pages * PAGE_MB
