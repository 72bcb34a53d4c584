"""`jobs/package.sh`: what is in the packages, made of a small program in offerlift's place, so that it takes seconds."""

import csv
import hashlib
import os
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = r"""
#include <stdio.h>
int main(int count, char **words) {
  for (int at = 1; at < count; at++) printf("%s%s", at > 1 ? " " : "", words[at]);
  printf("\n");
  return count == 2 && words[1][0] == '7' ? 7 : 0;
}
"""


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="offerlift-package-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        source = os.path.join(cls.folder, "program.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        cls.program = os.path.join(cls.folder, "program")
        subprocess.run(["clang", "-o", cls.program, source], check=True)
        cls.deb, cls.archive, cls.wheel = cls.pack("packages")

    @classmethod
    def pack(cls, name, *options, umask="022"):
        """Paths of the packages, in a folder of that name."""
        output = os.path.join(cls.folder, name)
        script = os.path.join(ROOT, "jobs", "package.sh")
        done = subprocess.run(
            ["bash", "-c", 'umask "$0" && exec "$@"', umask, script, "--binary", cls.program, "--output", output, *options],
            capture_output=True, text=True, check=False, timeout=600)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    def text(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def run_it(self, *command, **more):
        return subprocess.run(command, capture_output=True, text=True, check=True, **more).stdout

    def test_their_names_say_where_they_run(self):
        version = self.text(os.path.join(ROOT, "Sources/Domain/Product.swift")).split('"')[1]
        names = [os.path.basename(path) for path in (self.deb, self.archive, self.wheel)]
        self.assertRegex(names[0], rf"^offerlift_{version}_(amd64|arm64)\.deb$")
        self.assertRegex(names[1], rf"^offerlift-{version}-linux-(x86_64|aarch64)\.tar\.gz$")
        self.assertRegex(names[2], rf"^offerlift-{version}-py3-none-manylinux_2_\d+_(x86_64|aarch64)\.whl$")

    def test_the_same_bytes_again_whatever_the_umask(self):
        for first, second in zip((self.deb, self.archive, self.wheel), self.pack("again", umask="077")):
            with open(first, "rb") as one, open(second, "rb") as other:
                self.assertEqual(hashlib.sha256(one.read()).digest(), hashlib.sha256(other.read()).digest(), first)

    def test_the_checksums_are_right(self):
        self.assertEqual(self.run_it("sha256sum", "--check", "SHA256SUMS", cwd=os.path.dirname(self.deb)).count(": OK"), 3)

    def test_the_deb_unpacks_to_a_program_its_stamp_manual_and_examples(self):
        tree = os.path.join(self.folder, "deb")
        self.run_it("dpkg-deb", "-x", self.deb, tree)
        usr = os.path.join(tree, "usr")
        self.assertEqual(self.run_it(f"{usr}/bin/offerlift", "--some", "words").strip(), "--some words")
        for path in ("share/man/man1/offerlift.1.gz", "share/bash-completion/completions/offerlift",
                     "share/zsh/vendor-completions/_offerlift", "share/fish/vendor_completions.d/offerlift.fish",
                     "share/doc/offerlift/copyright", "share/doc/offerlift/examples/jobs/offerlift.service",
                     "share/doc/offerlift/examples/jobs/crontab.example",
                     "share/doc/offerlift/examples/sample-data/offering/scenario.yml"):
            self.assertTrue(os.path.isfile(os.path.join(usr, path)), path)
        stamp = self.text(f"{usr}/share/offerlift/offerlift.sha256").split()[0]
        with open(f"{usr}/bin/offerlift", "rb") as file:
            self.assertEqual(hashlib.sha256(file.read()).hexdigest(), stamp)
        for sum_and_path in self.run_it("dpkg-deb", "-I", self.deb, "md5sums").splitlines():
            expected, path = sum_and_path.split("  ", 1)
            with open(os.path.join(tree, path), "rb") as file:
                self.assertEqual(hashlib.md5(file.read()).hexdigest(), expected, path)

    def test_the_deb_asks_for_what_it_needs_and_belongs_to_root(self):
        needs = self.run_it("dpkg-deb", "-f", self.deb, "Depends")
        self.assertRegex(needs, r"libc6 \(>= 2\.\d+\), libgcc-s1, tzdata")
        lines = self.run_it("dpkg-deb", "-c", self.deb).splitlines()
        self.assertGreater(len(lines), 60)
        for line in lines:
            self.assertIn(" root/root ", line)
            self.assertNotIn("__pycache__", line)

    def test_the_jobs_of_the_examples_find_their_files(self):
        tree = os.path.join(self.folder, "examples")
        self.run_it("dpkg-deb", "-x", self.deb, tree)
        jobs = os.path.join(tree, "usr/share/doc/offerlift/examples/jobs")
        named = [name for name in os.listdir(jobs) if name.endswith(".yml")]
        self.assertGreater(len(named), 5)
        program = os.environ["OFFERLIFT"]
        for name in named:
            done = subprocess.run([program, "check", os.path.join(jobs, name), "--rows", "100"], capture_output=True,
                                  text=True, timeout=300)
            # What is wrong with the sample data is there to be found, and keeps no job from running.
            self.assertRegex(done.stdout, "This job (will|would) run", done.stdout + done.stderr)

    def test_the_archive_has_one_folder_and_no_owner(self):
        with tarfile.open(self.archive) as archive:
            members = archive.getmembers()
        self.assertEqual(len({member.name.split("/")[0] for member in members}), 1)
        self.assertEqual({(member.uid, member.gid, member.mtime) for member in members},
                         {(0, 0, members[0].mtime)})
        program = next(member for member in members if member.name.endswith("/bin/offerlift"))
        self.assertEqual(program.mode, 0o755)

    def test_pip_installs_the_wheel_and_the_launcher_hands_on_words_and_exit_code(self):
        place = os.path.join(self.folder, "venv")
        self.run_it(sys.executable, "-m", "venv", place)
        self.run_it(f"{place}/bin/pip", "install", "--quiet", "--no-index", "--no-deps", self.wheel)
        program = f"{place}/bin/offerlift"
        self.assertEqual(self.run_it(program, "run", "a b", "*").strip(), "run a b *")
        self.assertEqual(subprocess.run([program, "7"], capture_output=True).returncode, 7)
        self.assertEqual(self.run_it(f"{place}/bin/python", "-m", "offerlift", "check").strip(), "check")
        held = self.run_it(f"{place}/bin/python", "-c", "import offerlift; print(offerlift.PROGRAM, offerlift.__version__)")
        path, version = held.split()
        self.assertTrue(os.stat(path).st_mode & stat.S_IXUSR)
        self.assertIn(version, os.path.basename(self.wheel))
        self.assertTrue(os.path.isfile(path + ".sha256"), "selftest looks for it beside the program")

    def test_the_wheel_records_what_is_in_it(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            record = next(name for name in wheel.namelist() if name.endswith("RECORD"))
            rows = list(csv.reader(wheel.read(record).decode().splitlines()))
            self.assertEqual([row[0] for row in rows], wheel.namelist())
            for name, _, size in rows[:-1]:
                self.assertEqual(len(wheel.read(name)), int(size), name)
            self.assertEqual(rows[-1], [record, "", ""])

    def test_a_program_that_needs_further_libraries_makes_no_package(self):
        program = os.path.join(self.folder, "needy")
        subprocess.run(["clang", "-o", program, os.path.join(self.folder, "program.c"), "-Wl,--no-as-needed", "-lz", "-lm", "-lstdc++"],
                       check=True)
        output = os.path.join(self.folder, "needy-packages")
        done = subprocess.run([os.path.join(ROOT, "jobs", "package.sh"), "--binary", program, "--output", output],
                              capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 65, done.stderr)
        self.assertRegex(done.stderr, r"needs libraries that no package brings: libz\.so\.1, libstdc\+\+\.so\.6\. ")
        self.assertFalse(os.path.exists(output))

    def test_sources_come_from_where_this_machine_has_its_packages_from(self):
        sources = os.path.join(self.folder, "sources")
        os.makedirs(sources)
        lists = os.path.join(self.folder, "apt")
        os.makedirs(lists)
        deb822 = os.path.join(lists, "company.sources")
        with open(deb822, "w", encoding="utf-8") as file:
            file.write("# Other\nTypes: deb\nURIs: http://other.example.org\nSuites: x\n\n"
                       "Types: deb\nURIs: http://mirror.example.org/debian\nSuites: bookworm\nComponents: main\nSigned-By: /k.gpg\n")
        one_line = os.path.join(lists, "company.list")
        with open(one_line, "w", encoding="utf-8") as file:
            file.write("# deb http://no.example.org x main\ndeb [signed-by=/k.gpg] http://mirror.example.org/debian bookworm main\n")
        for entry, expected in ((f"{deb822}:2", "Types: deb-src\nURIs: http://mirror.example.org/debian\nSuites: bookworm\n"
                                 "Components: main\nSigned-By: /k.gpg\n"),
                                (f"{one_line}:2", "deb-src [signed-by=/k.gpg] http://mirror.example.org/debian bookworm main\n")):
            script = self.text(os.path.join(ROOT, "jobs", "package.sh"))
            function = script[script.index("write_sources() {"):]
            function = function[:function.index("\n}\n") + 3]
            said = self.run_it("bash", "-c", f'apt_source() {{ echo "{entry}"; }}\n{function}write_sources {sources}')
            self.assertEqual(self.text(said.strip()), expected)

    def test_no_script_names_a_mirror(self):
        for name in ("jobs/package.sh", "jobs/release.sh", "jobs/setup.sh", "Tests/Install/check_roots.sh"):
            self.assertNotRegex(self.text(os.path.join(ROOT, name)), r"debian\.org|ubuntu\.com", name)

    def test_what_is_no_program_makes_no_package(self):
        script = os.path.join(ROOT, "jobs", "package.sh")
        for options, code, word in ((["--binary", __file__], 65, "no program"), (["--binary", "/nowhere/at-all"], 66, ""),
                                    (["--out", "x"], 64, "--help")):
            done = subprocess.run([script, *options, "--output", os.path.join(self.folder, "none")][:len(options) + 1],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(word, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
