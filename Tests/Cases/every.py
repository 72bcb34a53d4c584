"""Every case there is: the modules `cases_*.py` beside this one."""

import glob
import importlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from case import CASES  # noqa: E402

for path in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases_*.py"))):
    importlib.import_module(os.path.basename(path)[:-3])

__all__ = ["CASES"]
