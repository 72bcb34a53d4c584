"""Death in mid-run, and two runs at once."""

import gzip
import os
import random
import shutil
import signal
import time

from bench import NEXT_T, T, Bench, clean, purchase, refused

ROWS = 400_000


def slow(bench):
    """Enough rows that a run can be caught in the middle."""
    lines = [purchase(number) for number in range(1000)]
    text = bench.text(lines)
    for shard in range(4):
        body = text.replace(b'"t', b'"t%d-' % shard)
        bench.write(f"purchases-{shard + 2}.gz", gzip.compress(body, 1) * (ROWS // 4000))


def seconds_of(bench):
    start = time.monotonic()
    assert bench.run(as_of=T).code == 0
    return time.monotonic() - start


def whole(bench, before):
    """The old results are as they were, or the new night stands complete beside them."""
    after = bench.snapshot()
    night = os.path.join("out", "rubbish", "2026-03-31")
    if os.path.isdir(bench.path(night)):
        old = {os.path.basename(path) for path in before if os.path.dirname(path).endswith("2026-03-30")}
        new = set(os.listdir(bench.path(night)))
        assert old <= new, f"the new night lacks {old - new}"
        assert os.path.isdir(bench.path("out/rubbish/latest"))
        moving = ("latest", "results.sqlite", "index.html")
    else:
        moving = ("results.sqlite",)
    for path, content in before.items():
        if os.path.basename(path) not in moving:
            assert after.get(path) == content, f"{path} was touched"


def killed_at_any_moment(binary):
    rng = random.Random(3)
    with Bench(binary) as bench:
        slow(bench)
        length = seconds_of(bench)
        before = bench.snapshot()
        for number in range(12):
            child = bench.start(bench.command(as_of=NEXT_T))
            # the last tries aim at the end, where results are handed over
            share = rng.uniform(0, 1.0) if number < 6 else rng.uniform(0.85, 1.05)
            time.sleep(length * share)
            child.send_signal(signal.SIGKILL if number % 4 else signal.SIGTERM)
            child.wait()
            whole(bench, before)
        ran = bench.run(as_of=NEXT_T)
        clean(ran)
        assert ran.code == 0, f"the next run left with {ran.code}: {ran.err[-300:]}"
        bench.run([binary, "run", bench.path("job.yml"), "--as-of", NEXT_T, "--output", bench.path("fresh")])
        for name in ("sufficient_statistics.csv", "comparisons.csv", "inputs.csv", "checks.csv"):
            assert bench.read(f"out/rubbish/latest/{name}") == bench.read(f"fresh/rubbish/latest/{name}"), name
        left = [name for name in os.listdir(bench.path("out/rubbish")) if "tmp" in name or "partial" in name]
        assert not left, f"left lying about: {left}"


def killed_while_keeping(binary):
    """A run that dies while it keeps what it read leaves nothing that a later run takes for whole."""
    rng = random.Random(4)
    with Bench(binary) as bench:
        slow(bench)
        bench.add_to_job("state: {path: state}\n")
        length = seconds_of(bench)
        for _ in range(6):
            shutil.rmtree(bench.path("state"), ignore_errors=True)  # none yet where the last run was killed that early
            child = bench.start(bench.command(as_of=NEXT_T))
            time.sleep(length * rng.uniform(0.1, 0.8))
            child.kill()
            child.wait()
        for night in ("resumed", "found"):
            ran = bench.run([binary, "run", bench.path("job.yml"), "--as-of", NEXT_T, "--output", bench.path(night)])
            clean(ran)
            assert ran.code == 0 and not ran.err, f"{night}: {ran.code}: {ran.err[-300:]}"
            left = [name for name in os.listdir(bench.path("state/events")) if name.endswith(".new")]
            assert not left, f"left lying about: {left}"
        bench.run([binary, "run", bench.path("job.yml"), "--as-of", NEXT_T, "--output", bench.path("fresh"), "--fresh"])
        for night in ("resumed", "found"):
            for name in ("sufficient_statistics.csv", "inputs.csv", "checks.csv"):
                assert bench.read(f"{night}/rubbish/latest/{name}") == bench.read(f"fresh/rubbish/latest/{name}"), name


def two_at_once(binary):
    """A run stopped in the middle holds the lock; a second leaves with 75; a dead one's does not count."""
    with Bench(binary) as bench:
        slow(bench)
        length = seconds_of(bench)
        before = bench.snapshot()
        first = bench.start(bench.command(as_of=NEXT_T))
        try:
            time.sleep(length * 0.3)
            assert first.poll() is None, "the run was over too soon"
            first.send_signal(signal.SIGSTOP)
            refused(bench.run(as_of=NEXT_T, seconds=30), 75, "rubbish")
            assert bench.snapshot() == before, "the second run touched something"
        finally:
            first.kill()
            first.wait()
        ran = bench.run(as_of=NEXT_T)
        assert ran.code == 0, f"a dead run's lock blocks: exit {ran.code}: {ran.err[-300:]}"


def first_survives_the_second(binary):
    with Bench(binary) as bench:
        slow(bench)
        length = seconds_of(bench)
        first = bench.start(bench.command(as_of=NEXT_T))
        time.sleep(length * 0.3)
        second = bench.run(as_of=NEXT_T)
        assert second.code in (75, 0), second.code
        assert first.wait() == 0


def same_night_again(binary):
    """The same inputs and cut-off write the same bytes, over an old night too."""
    with Bench(binary) as bench:
        before = bench.publish()
        for path, content in bench.publish().items():
            if os.path.basename(path) not in ("run.json", "results.sqlite"):
                assert before.get(path) == content, f"{path} changed"


CASES = [killed_at_any_moment, killed_while_keeping, two_at_once, first_survives_the_second, same_night_again]
