"""Two users of one machine: what another user puts into, beside or in the place of what is ours. It takes root to be two."""

import fcntl
import os
import socket
import stat
import subprocess
import unittest

from hostile import DATE, World
from nights import BINARY

OURS, OTHERS = 61001, 61002


def as_user(user):
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"]


@unittest.skipUnless(os.geteuid() == 0, "two users take root, who can become each of them")
class TwoUsers(unittest.TestCase):
    def setUp(self):
        self.world = World(more="state: {path: ../state}\n")
        self.addCleanup(self.world.__exit__)
        for folder, _, names in os.walk(self.world.folder):
            for name in ["", *names]:
                os.chown(os.path.join(folder, name), OURS, OURS)
        # The program is everybody's to run, wherever this checkout lies.
        if subprocess.run([*as_user(OURS), BINARY, "--version"], capture_output=True).returncode != 0:
            self.skipTest(f"{BINARY} cannot be run by user {OURS}")

    def run_as(self, user, *options, command="run", **more):
        return self.world.run(*options, command=command, before=as_user(user), **more)

    def shell(self, user, text):
        done = subprocess.run([*as_user(user), "sh", "-c", text], capture_output=True, text=True, cwd=self.world.folder, timeout=30)
        return done

    def published(self):
        done = self.run_as(OURS)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.world.path("reports", "test")

    def test_what_is_ours_is_nobody_elses_to_hold_or_to_write(self):
        job = self.published()
        for folder, _, names in os.walk(self.world.path("reports")):
            for name in ["", *names]:
                status = os.lstat(os.path.join(folder, name))
                if not stat.S_ISLNK(status.st_mode):
                    self.assertFalse(status.st_mode & 0o022, os.path.join(folder, name))
        locks = [os.path.join(folder, name) for top in ["reports", "state"] for folder, _, names in os.walk(self.world.path(top))
                 for name in names if name.endswith("lock")]
        self.assertTrue(locks)
        for lock in locks:
            self.assertEqual(os.stat(lock).st_mode & 0o777, 0o600, lock)
            self.assertNotEqual(self.shell(OTHERS, f"exec 9<'{lock}' && flock --nonblock 9").returncode, 0, lock)
        self.assertTrue(os.path.isdir(job))

    def test_a_folder_of_another_user_is_refused_until_it_is_trusted(self):
        os.makedirs(self.world.path("reports", "test"))
        os.chown(self.world.path("reports"), OURS, OURS)
        os.chown(self.world.path("reports", "test"), OTHERS, OTHERS)
        os.chmod(self.world.path("reports", "test"), 0o777)
        done = self.run_as(OURS)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("--trust-folder", done.stderr)
        self.assertEqual(os.listdir(self.world.path("reports", "test")), [])
        self.assertEqual(self.run_as(OURS, "--trust-folder").returncode, 0)

    def test_a_link_to_another_users_folder_is_refused_and_nothing_there_is_touched(self):
        self.shell(OURS, "mkdir reports")
        os.makedirs(self.world.path("theirs", ".publishing"))
        self.world.write("theirs/.publishing/precious", "theirs")
        os.symlink(self.world.path("theirs"), self.world.path("reports", "test"))
        done = self.run_as(OURS)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("--trust-folder", done.stderr)
        self.assertEqual(os.listdir(self.world.path("theirs", ".publishing")), ["precious"])

    def test_links_that_another_user_puts_beside_a_night_lose_nobodys_files(self):
        job = self.published()
        self.world.write("theirs/precious", "theirs")
        os.chmod(job, 0o777)
        self.shell(OTHERS, f"ln -s '{self.world.path('theirs')}' '{job}/.publishing'; ln -s '{self.world.path('theirs')}' '{job}/.placing'")
        done = self.run_as(OURS, "--trust-folder")
        self.assertIn(done.returncode, [0, 73, 74], done.stderr)
        self.assertEqual(os.listdir(self.world.path("theirs")), ["precious"])

    def test_pipes_and_sockets_in_the_place_of_our_files_are_not_waited_for(self):
        """Whatever the night comes to: it ends, and they still stand there or a file of ours does."""
        job = self.published()
        os.chmod(job, 0o777)
        entries = sorted(name for name in os.listdir(self.world.path("state", "events")) if name.endswith(".blocks"))
        places = [os.path.join(job, name) for name in ["results.sqlite", ".pruned", f"{DATE}/comparisons.csv"]]
        for place in [*places, self.world.path("state", "events", entries[0])]:
            for make in [os.mkfifo, self.make_socket]:
                kept = place + ".kept"
                if os.path.lexists(place):
                    os.rename(place, kept)
                make(place)
                self.assertLess(self.run_as(OURS, "--trust-folder").returncode, 79, place)
                if os.path.lexists(place) and not stat.S_ISREG(os.lstat(place).st_mode):
                    os.unlink(place)
                if os.path.lexists(kept):
                    os.rename(kept, place)

    @staticmethod
    def make_socket(path):
        with socket.socket(socket.AF_UNIX) as made:
            here = os.getcwd()
            # A socket's path is short.
            os.chdir(os.path.dirname(path))
            made.bind(os.path.basename(path))
            os.chdir(here)

    def test_locks_that_another_holds_are_given_up_after_a_minute(self):
        """Root alone can open them still. A night reads all anew without its state, is published without the index, and says so."""
        self.published()
        for lock, code, words in [("state/events/.lock", 0, "has been locked"), ("reports/.index.lock", 0, "has been locked"),
                                  ("reports/test/.lock", 75, "another run of job test")]:
            with open(self.world.path(lock), "rb") as held:
                fcntl.flock(held, fcntl.LOCK_EX)
                done = self.run_as(OURS, most=200)
                self.assertEqual(done.returncode, code, f"{lock}: {done.stderr}")
                self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
