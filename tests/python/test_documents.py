"""The programs that docs/programs.md shows run, and its figures of the package are right."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import spadework
from support import Case

ROOT = pathlib.Path(os.environ["SOURCE_DIR"])
TEXT = (ROOT / "docs" / "programs.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.M | re.S)


class Documents(Case):
    def test_python(self):
        found = blocks("python")
        self.assertGreaterEqual(len(found), 3)
        for block in found:
            with tempfile.TemporaryDirectory() as folder:
                ended = subprocess.run([sys.executable, "-c", block], cwd=folder, capture_output=True, text=True)
            self.assertEqual(ended.returncode, 0, block + ended.stderr)

    def test_c(self):
        compiler, library = shutil.which("cc"), pathlib.Path(os.environ["SPADEWORK_LIBRARY"])
        if compiler is None:
            self.skipTest("there is no C compiler")
        (block,) = blocks("c")
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "dig.c"
            program.write_text(block)
            where = ["-I", ROOT / "trainer" / "api", library, f"-Wl,-rpath,{library.parent}"]
            words = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", program, "-o", program.with_suffix("")]
            subprocess.run([compiler, *words, *where], check=True)
            ended = subprocess.run([program.with_suffix("")], capture_output=True, text=True)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))
            self.assertRegex(ended.stdout, r"^ground -?\d\.\d\d m, design -?\d\.\d\d m\n$")

    def test_names(self):
        for name in spadework.tasks.names():
            self.assertIn(f"| `{name}` | `{spadework.tasks.load(name).scene}` |", TEXT)
        for example in ("random_agent", "plan_by_saving", "clone_expert", "force_plot", "gallery", "mcap_view"):
            self.assertTrue((ROOT / "docs" / "examples" / f"{example}.py").exists())
            self.assertIn(f"| `{example}.py` |", TEXT)


if __name__ == "__main__":
    unittest.main()
