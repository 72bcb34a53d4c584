"""What a night costs on Apache Spark, from what an event costs: a simulation. Prints the tables of scale.md.

    python3 Benchmarks/scale.py

Everything that was measured, and everything that is assumed, stands at the top; put your own there.
"""

import heapq
import random
from dataclasses import dataclass

# Measured: 5,034,849 events and 1,007,000 assignments in 18 gzip files on 2 processors, Spark 4.3.0; see scale.md.
PACKED_BYTES = 53.2
"""Bytes of gzip an event, its share of the assignments included: 268 MB."""
EXCHANGED_BYTES = 36.0
"""Written by the tasks that read, in Parquet with zstd: 181 MB."""
SHUFFLED_BYTES = 39.0
"""Shuffled to the tasks that count: 196.6 MB; ids of assigned users come to a second shuffle, of 5 bytes."""
SHUFFLED_IDS_BYTES = 5.0
READ_SECONDS = 25.6 / 5_034_849
"""Of a core, to read, hand on, unpack, parse and write. All stages took 46.2 s of processor beyond an empty script's 13.4,
Java's warming up included; they are shared out here as the stages' times on the clock, 12.2 s and 9.8 s."""
COUNT_SECONDS = 20.6 / 5_034_849
"""Of a core, to shuffle, count, look at ids and gather."""
START_SECONDS = 20.0
"""Of the clock, for Spark and the first statements."""
TASK_SECONDS = 0.3
"""Of a core, for every task: its child process, its part in files and shuffles."""
NAMES_BYTES = 3_300
"""Shuffled for each pair of a file and a task that counts: what a file's rows showed goes to everybody."""
STRANGERS_BYTES = 9_200
"""Shuffled for each pair of a task that counts and one that looks at ids."""
RESULT_BYTES = 66_000
"""Of the result, for each task that counts, unpacked on the machine that started it."""
FINISH_SECONDS = 0.009
"""Of that machine, for each of them."""

# Assumed.
MACHINE_CORES = 8
MACHINE_DOLLARS = 0.384
"""A m6i.2xlarge (8 processors, 32 GB) for an hour, on demand in us-east-1. Not looked up: put your price here."""
NETWORK_BYTES = 0.3e9
"""What a machine sends and receives a second, all the time."""
FILE_BYTES = 128e6
"""Size of a packed file."""
SPREAD = 0.15
"""Standard deviation of what equal tasks take, as a share: machines are not alike."""


@dataclass(frozen=True)
class Night:
    """How many events are counted, and by what."""

    events: float
    machines: int
    tasks: int | None = None
    """How many tasks count; None is the program's choice."""
    largest_file: float = 0
    """One file more, of so many packed bytes."""

    @property
    def counting_tasks(self) -> int:
        """One for each 64 MB of packed inputs, at most 16,384."""
        return self.tasks or int(max(2, min(16_384, self.events * PACKED_BYTES / 64e6 + 1)))

    @property
    def files(self) -> int:
        """Files of the usual size."""
        return max(1, round(self.events * PACKED_BYTES / FILE_BYTES))


@dataclass(frozen=True)
class Cost:
    """What a night comes to."""

    reading: float
    counting: float
    finishing: float
    shuffled: float
    heads: float
    """Of `shuffled`, what every task is told."""
    machines: int

    @property
    def seconds(self) -> float:
        """From start to end."""
        return START_SECONDS + self.reading + self.counting + self.finishing

    @property
    def dollars(self) -> float:
        """For the machines alone."""
        return self.machines * MACHINE_DOLLARS * self.seconds / 3600


def makespan(seconds: list[float], cores: int) -> float:
    """When the last of the tasks ends, each given to the first core that is free, as Spark does."""
    free = [0.0] * min(cores, len(seconds))
    for task in seconds:
        heapq.heapreplace(free, free[0] + task)
    return max(free)


def simulate(night: Night) -> Cost:
    """Plays a night's two large stages, task by task; what goes over the network is not faster than that."""
    dice = random.Random(1)
    cores = night.machines * MACHINE_CORES
    network = night.machines * NETWORK_BYTES
    tasks = night.counting_tasks
    sizes = [FILE_BYTES] * night.files + ([night.largest_file] if night.largest_file else [])
    dice.shuffle(sizes)
    read = [(size / PACKED_BYTES * READ_SECONDS + TASK_SECONDS) * dice.gauss(1, SPREAD) for size in sizes]
    count = [(night.events / tasks * COUNT_SECONDS + 2 * TASK_SECONDS) * dice.gauss(1, SPREAD) for _ in range(tasks)]
    packed = sum(sizes)
    heads = NAMES_BYTES * len(sizes) * tasks + STRANGERS_BYTES * tasks**2
    shuffled = night.events * (SHUFFLED_BYTES + SHUFFLED_IDS_BYTES) + heads
    return Cost(
        reading=max(makespan(read, cores), packed / network),
        counting=max(makespan(count, cores), shuffled / network),
        finishing=FINISH_SECONDS * tasks,
        shuffled=shuffled,
        heads=heads,
        machines=night.machines,
    )


def spoken(seconds: float) -> str:
    """`48 s`, `12 min`, `3.4 h`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def size(count: float) -> str:
    """Bytes in GB or TB."""
    return f"{count / 1e12:.1f} TB" if count >= 1e12 else f"{count / 1e9:.1f} GB"


COLUMNS = (
    "events", "packed", "machines of 8", "tasks that count", "reading", "counting", "finishing", "all", "shuffled",
    "of it told to all", "result", "USD",
)  # fmt: skip


def rows(nights: list[Night]) -> None:
    """A table of nights."""
    print(f"| {' | '.join(COLUMNS)} |")
    print("|--:" * len(COLUMNS) + "|")
    for night in nights:
        cost = simulate(night)
        cells = [
            f"{night.events:,.0f}", size(night.events * PACKED_BYTES), str(night.machines), f"{night.counting_tasks:,}",
            spoken(cost.reading), spoken(cost.counting), spoken(cost.finishing), f"**{spoken(cost.seconds)}**",
            size(cost.shuffled), size(cost.heads), size(RESULT_BYTES * night.counting_tasks), f"{cost.dollars:.2f}",
        ]  # fmt: skip
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    rows([Night(1e9, 8), Night(1e9, 64), Night(1e11, 64), Night(1e11, 64, tasks=4096), Night(1e11, 256, tasks=4096)])
    print("\nWith one gzip file of 10 GB, and of 100 GB, among the others:\n")
    rows([Night(1e9, 8, largest_file=10e9), Night(1e9, 8, largest_file=100e9)])
