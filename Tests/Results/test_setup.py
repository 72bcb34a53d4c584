"""`jobs/setup.sh`: what it asks before it installs, with programs of this test in the place of apt-get and sudo."""

import os
import pty
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Sudo(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="offerlift-setup-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.log = os.path.join(self.folder, "log")
        for name, text in (("id", "echo 1000"), ("apt-get", "true"), ("sudo", f'echo "$@" >>{self.log}')):
            path = os.path.join(self.folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\n{text}\n")
            os.chmod(path, 0o755)

    def install(self, answer=None, **environment):
        """The exit code, and what was said; an answer is typed at a terminal, where there is one."""
        command = ["bash", "-c", f". {ROOT}/jobs/setup.sh && install_missing 'command no-such-tool no-such-package'"]
        environment = {"PATH": f"{self.folder}:{os.environ['PATH']}", **environment}
        if answer is None:
            done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60)
            return done.returncode, done.stderr
        outer, inner = pty.openpty()
        try:
            process = subprocess.Popen(command, env=environment, stdin=inner, stdout=subprocess.DEVNULL, stderr=inner)
            os.write(outer, f"{answer}\n".encode())
            code = process.wait(timeout=60)
            return code, os.read(outer, 1 << 16).decode()
        finally:
            os.close(outer)
            os.close(inner)

    def installed(self):
        return os.path.exists(self.log)

    def test_a_terminal_is_asked(self):
        for answer, code in (("n", 69), ("", 69), ("y", 0)):
            self.assertFalse(self.installed())
            done, said = self.install(answer)
            self.assertIn("Install no-such-package with sudo apt-get? [y/N]", said)
            self.assertEqual(done, code, said)
        self.assertTrue(self.installed())

    def test_without_a_terminal_nothing_is_installed(self):
        code, said = self.install()
        self.assertEqual(code, 69)
        self.assertIn("apt-get install no-such-package; or set OFFERLIFT_YES=1", said)
        self.assertFalse(self.installed())

    def test_whoever_has_said_yes_is_not_asked(self):
        for environment in ({"OFFERLIFT_YES": "1"}, {"CI": "true"}):
            code, said = self.install(**environment)
            self.assertEqual(code, 0, said)
            self.assertTrue(self.installed())
            os.remove(self.log)


if __name__ == "__main__":
    unittest.main()
