"""Apache Spark from PyPI, in a folder of its own that is gone afterwards."""

from contextlib import contextmanager
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

CLUSTER = "local-cluster[2,1,1024]"
LOCAL = "local[2]"


class Spark:
    """Where Spark lies, and where all that it writes goes: executors, shuffles, temporary files, shipped files."""

    def __enter__(self):
        self.place = tempfile.mkdtemp(prefix="spark-")
        self.home = self.path("home")
        installed = os.path.dirname(importlib.util.find_spec("pyspark").origin)
        os.mkdir(self.home)
        # local-cluster leaves a `work` in Spark's home with every application's files: so the home is ours.
        for name in os.listdir(installed):
            if name != "work":
                os.symlink(os.path.join(installed, name), os.path.join(self.home, name))
        for name in ("work", "local", "tmp"):
            os.makedirs(self.path("home/work") if name == "work" else self.path(name))
        python = os.path.dirname(sys.executable)
        self.environment = os.environ | {
            "SPARK_HOME": self.home, "SPARK_LOCAL_DIRS": self.path("local"), "SPARK_WORKER_DIR": self.path("home/work"),
            "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOG_DIR": self.path("tmp"), "TMPDIR": self.path("tmp"),
            "PATH": f"{python}:{os.environ['PATH']}", "JDK_JAVA_OPTIONS": self.java("SharedArchiveFile"),
        }
        return self

    def java(self, archive):
        """What every Java is started with: most live for seconds, and would spend them compiling what runs once.

        Nothing of Java's own is printed, as launchers take each other's output for commands.
        """
        return (f"-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xlog:disable -XX:{archive}={self.path('classes.jsa')} "
                f"-Djava.io.tmpdir={self.path('tmp')}")

    def prepare(self):
        """Keeps the classes that Spark loads, as Java has them in memory: all that start later start in half the time."""
        usual = self.environment
        self.environment = usual | {"JDK_JAVA_OPTIONS": self.java("ArchiveClassesAtExit")}
        script = "SELECT TRANSFORM(id) USING 'cat' AS (id STRING) FROM range(0, 4, 1, 2)"
        ran = self.run([*self.command(LOCAL, "spark.sql.catalogImplementation=in-memory").split(" "), "-e", script])
        assert ran.returncode == 0, f"Spark does not start: {ran.err[-900:]}"
        self.environment = usual

    def __exit__(self, *_):
        for process in self.processes():
            os.kill(process, signal.SIGKILL)
        time.sleep(0.2)
        shutil.rmtree(self.place, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.place, name)

    def command(self, master=CLUSTER, *settings):
        """What `--spark-submit` says."""
        pairs = ["spark.ui.enabled=false", *settings]
        return " ".join([os.path.join(self.home, "bin/spark-sql"), "--master", master, *(f"--conf {pair}" for pair in pairs)])

    @contextmanager
    def standalone(self):
        """A master and two workers, each a process of its own; its address."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        address = f"spark://127.0.0.1:{port}"
        shared = ["--host", "127.0.0.1", "--webui-port", "0"]
        running = [self.daemon("master.Master", *shared, "--port", str(port))]
        try:
            self.wait_for(port)
            running += [self.daemon("worker.Worker", *shared, "--cores", "1", "--memory", "1g", address) for _ in range(2)]
            yield address
        finally:
            for process in running:
                process.terminate()
                process.wait(60)

    def daemon(self, name, *arguments):
        command = [os.path.join(self.home, "bin/spark-class"), f"org.apache.spark.deploy.{name}", *arguments]
        return subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    @staticmethod
    def wait_for(port, seconds=300):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with socket.socket() as attempt:
                if attempt.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.2)
        raise AssertionError(f"nobody listened on port {port} after {seconds} s")

    def start(self, command, folder=None):
        return subprocess.Popen(command, env=self.environment, cwd=folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")

    def run(self, command, folder=None, timeout=900):
        """Runs a command to its end; its code and what it said."""
        process = self.start(command, folder)
        try:
            process.out, process.err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError(f"{' '.join(command)[:200]} had not ended after {timeout} s") from None
        self.clear()
        return process

    def clear(self):
        """Frees what finished applications leave on the disk."""
        for name in ("home/work", "local"):
            for entry in os.listdir(self.path(name)):
                shutil.rmtree(self.path(f"{name}/{entry}"), ignore_errors=True)

    def processes(self, having=""):
        """The Java of this Spark that runs, with a word in its command line."""
        found = []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as file:
                    words = file.read().decode("utf-8", "replace").split("\0")
            except OSError:
                continue
            if words[0].endswith("java") and any(self.home in word for word in words) and having in " ".join(words):
                found.append(int(entry))
        return found
