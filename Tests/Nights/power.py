"""A power cut: of what a run has written only what it flushed is surely there; of the rest the disk has some.

`power.c` records a run. Two kinds of disk lose differently:

- `ordered`, as ext4 and XFS: steps on names reach the disk in their order, up to some step after the last flush of any
  folder.
- `strict`, what POSIX promises and no more: a step on a name is sure once its folder has been flushed; of the others
  any may be missing.

On both, a file that was not flushed may have its old bytes, none, the first of its new ones, zeros, or all of them.
"""

import os
import shutil
import stat




def tree_of(folder):
    """Names → folders (dicts), files (inodes) and links (targets)."""
    found = {}
    for entry in os.scandir(folder):
        if entry.is_symlink():
            found[entry.name] = ("link", os.readlink(entry.path))
        elif entry.is_dir():
            found[entry.name] = tree_of(entry.path)
        elif entry.is_file():
            found[entry.name] = ("file", entry.inode())
    return found


def files_of(folder):
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            if stat.S_ISREG(os.lstat(path).st_mode):
                yield path


class Recording:
    """One run of which everything written is recorded, and the disk after it."""

    def __init__(self, folder, keep, library):
        self.folder, self.keep, self.library = folder, keep, library
        shutil.rmtree(keep, ignore_errors=True)
        os.makedirs(keep)
        self.before = tree_of(folder)
        self.stood = set()
        for path in files_of(folder):
            inode = os.lstat(path).st_ino
            self.stood.add(inode)
            os.link(path, os.path.join(keep, f"i{inode}"))

    @property
    def environment(self):
        return {"POWER_UNDER": self.folder, "POWER_KEEP": self.keep}

    def cut(self, rng):
        """Puts in the folder's place what the disk has of it; returns the kind of disk."""
        kind = rng.choice(["ordered", "ordered", "strict"])
        steps = self.steps()
        tree = self.before
        for step in kept_in_order(steps, rng) if kind == "ordered" else kept_of_each_folder(steps, rng):
            take(step, tree)
        made = self.folder + ".made"
        self.write(tree, made, rng)
        shutil.rmtree(self.folder)
        os.rename(made, self.folder)
        shutil.rmtree(self.keep)
        return kind

    def steps(self):
        """(step, one, two) with paths as lists of names, in their order."""
        path = os.path.join(self.keep, "log")
        if not os.path.exists(path):
            return []

        def names(path):
            return os.path.relpath(path, self.folder).split("/") if path.startswith("/") else path

        with open(path) as file:
            return [tuple([step, *map(names, rest)]) for step, *rest in (line.rstrip("\n").split("\t") for line in file)]

    def write(self, tree, folder, rng):
        os.mkdir(folder, 0o750)
        for name, node in tree.items():
            path = os.path.join(folder, name)
            if isinstance(node, dict):
                self.write(node, path, rng)
            elif node[0] == "link":
                os.symlink(node[1], path)
            else:
                self.write_file(int(node[1]), path, rng)

    def write_file(self, inode, path, rng):
        whole, sure = (os.path.join(self.keep, f"{kind}{inode}") for kind in "id")
        with open(whole, "rb") as file:
            now = file.read()
        flushed = now if inode in self.stood else b""
        if os.path.exists(sure):
            with open(sure, "rb") as file:
                flushed = file.read()
        if flushed == now:
            os.link(whole, path)
            return
        content = rng.choice([flushed, now, now[: rng.randrange(len(now) + 1)], bytes(len(now))])
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, os.stat(whole).st_mode & 0o777)


def kept_in_order(steps, rng):
    sure = max((number for number, step in enumerate(steps) if step[0] == "synced"), default=-1) + 1
    return steps[: rng.randint(sure, len(steps))]


def kept_of_each_folder(steps, rng):
    kept = []
    for number, (step, one, two) in enumerate(steps):
        folders = [path[:-1] or ["."] for path in (one, two) if isinstance(path, list)]
        later = any(other == "synced" and path in folders for other, path, _ in steps[number:])
        if later or rng.random() < 0.5:
            kept.append((step, one, two))
    return kept


def take(step, tree):
    """Takes one step, or none where what it needs is missing."""
    what, one, two = step

    def parent(path):
        node = tree
        for name in path[:-1]:
            node = node.get(name) if isinstance(node, dict) else None
        return node if isinstance(node, dict) else None

    if what == "synced":
        return
    path = two if what == "symlink" else one
    home = parent(path)
    if home is None:
        return
    name = path[-1]
    if what == "file":
        home[name] = ("file", two)
    elif what == "folder":
        home.setdefault(name, {})
    elif what == "symlink":
        home[name] = ("link", one)
    elif what == "remove":
        home.pop(name, None)
    else:
        other = parent(two)
        if other is None or name not in home or what == "swap" and two[-1] not in other:
            return
        node = home[name]
        if what == "swap":
            home[name] = other[two[-1]]
        elif what == "rename":
            del home[name]
        other[two[-1]] = node
