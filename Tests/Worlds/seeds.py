"""Checks of one world a seed, as many at a time as there are cores: what their commands have in common."""

import argparse
import concurrent.futures
import functools
import os
import shutil
import sys
import tempfile


def chosen_by(doc, count):
    """What was typed: the binary, the first seed, how many, and where the worlds' folders stay."""
    options = argparse.ArgumentParser(description=doc.split("\n")[0])
    options.add_argument("--binary", required=True)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=count)
    options.add_argument("--keep")
    return options.parse_args()


def check_in_folder(check, name, binary, keep, seed):
    """What `check` finds of a seed in an empty folder of its own, which stays where `keep` says."""
    folder = os.path.join(keep, f"{name}-{seed}") if keep else tempfile.mkdtemp(prefix=f"{name}-")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        return check(binary, seed, folder)
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def checked(chosen, check, name):
    """Each seed with what `check` finds, in order."""
    seeds = range(chosen.seed, chosen.seed + chosen.count)
    one = functools.partial(check_in_folder, check, name, os.path.abspath(chosen.binary), chosen.keep)
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        yield from zip(seeds, pool.map(one, seeds))


def tell(what, found):
    """The first differences of a world."""
    print(f"{what}: {len(found)} differences")
    for line in found[:6]:
        print(f"    {line}")
    sys.stdout.flush()
