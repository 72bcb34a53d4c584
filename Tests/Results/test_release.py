"""`jobs/release.sh`, in a checkout of its own, of packages that are none."""

import os
import shutil
import subprocess
import tempfile
import unittest

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WHO = ["-c", "user.name=Test", "-c", "user.email=test@offerlift.invalid"]


class Release(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="offerlift-release-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.write("Sources/Domain/Product.swift", '  static let version = "9.8.7"\n')
        self.write("CHANGELOG.md", "# Changes\n\n## 9.8.7 (2026-12-01)\nWhat it brings.\n\n## 9.8.6\nEarlier.\n")
        self.write(".gitignore", ".build*\n")
        for name in ["release.sh", "setup.sh"]:
            os.makedirs(self.path("jobs"), exist_ok=True)
            shutil.copy(os.path.join(ROOT, "jobs", name), self.path("jobs", name))
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "First")
        self.write(".build-package/packages/offerlift_9.8.7_amd64.deb", "a package")
        self.checksums()

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def text(self, *names):
        with open(self.path(*names), encoding="utf-8") as file:
            return file.read()

    def git(self, *words):
        subprocess.run(["git", "-C", self.folder, *WHO, *words], check=True, capture_output=True)

    def checksums(self):
        subprocess.run("sha256sum *.deb > SHA256SUMS", shell=True, check=True, cwd=self.path(".build-package", "packages"))

    def release(self, *options, env=None):
        return subprocess.run(["bash", self.path("jobs", "release.sh"), "--packages", self.path(".build-package", "packages"), *options],
                              capture_output=True, text=True, check=False, timeout=60, env=env)

    def refused(self, words):
        done = self.release()
        self.assertEqual(done.returncode, 65, done.stderr)
        self.assertIn(words, done.stderr)

    def test_a_tagged_commit_has_packages_checksums_and_notes(self):
        self.git("tag", "v9.8.7")
        done = self.release()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([os.path.basename(path) for path in done.stdout.split()], ["NOTES.md", "SHA256SUMS", "offerlift_9.8.7_amd64.deb"])
        self.assertEqual(self.text(".build-package", "release", "NOTES.md").strip(), "What it brings.")
        subprocess.run(["sha256sum", "--check", "SHA256SUMS"], check=True, cwd=self.path(".build-package", "release"), capture_output=True)

    def test_what_is_not_the_tagged_commit_is_refused(self):
        self.refused("not tagged v9.8.7")
        self.git("tag", "v9.8.7")
        self.write("CHANGELOG.md", "# Changes\n")
        self.refused("no commit has")

    def test_packages_that_are_not_those_of_their_checksums_are_refused(self):
        self.git("tag", "v9.8.7")
        self.write(".build-package/packages/offerlift_9.8.7_amd64.deb", "another package")
        self.refused("are not those of its SHA256SUMS")

    def test_packages_of_another_version_are_refused(self):
        self.git("tag", "v9.8.7")
        packages = self.path(".build-package", "packages")
        os.rename(os.path.join(packages, "offerlift_9.8.7_amd64.deb"), os.path.join(packages, "offerlift_9.8.6_amd64.deb"))
        self.checksums()
        self.refused("no packages of 9.8.7")

    def test_checksums_are_signed(self):
        self.git("tag", "v9.8.7")
        home = self.path("gpg")
        os.mkdir(home, 0o700)
        environment = os.environ | {"GNUPGHOME": home}
        subprocess.run(["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", "test@offerlift.invalid", "ed25519", "sign"],
                       env=environment, check=True, capture_output=True)
        self.addCleanup(subprocess.run, ["gpgconf", "--kill", "all"], env=environment, check=False)
        self.write(".git/info/exclude", "gpg\n")
        done = self.release("--sign", env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        signed = self.path(".build-package", "release", "SHA256SUMS")
        verify = ["gpg", "--verify", f"{signed}.asc", signed]
        subprocess.run(verify, env=environment, check=True, capture_output=True)
        with open(signed, "a", encoding="utf-8") as file:
            file.write("one more line\n")
        self.assertNotEqual(subprocess.run(verify, env=environment, check=False, capture_output=True).returncode, 0)

    def test_the_workflow_types_what_the_script_takes(self):
        with open(os.path.join(ROOT, ".ci", "release.yml"), encoding="utf-8") as file:
            workflow = yaml.safe_load(file)
        lines = [line.strip() for job in workflow["jobs"].values() for step in job["steps"] for line in step.get("run", "").splitlines()]
        typed = [line.split() for line in lines if line.startswith("jobs/release.sh")]
        self.assertEqual(len(typed), 2)
        known = subprocess.run(["bash", os.path.join(ROOT, "jobs", "release.sh"), "--help"], capture_output=True, text=True, check=True).stdout
        for words in typed:
            for option in (word for word in words if word.startswith("--")):
                self.assertIn(f"release.sh {option}", known)


if __name__ == "__main__":
    unittest.main()
