#!/usr/bin/python3
"""Tests bench/compare on build folders whose bench programs print what the test says."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

COMPARE = pathlib.Path(__file__).resolve().parent.parent / "bench" / "compare"
NEWTON = "isa,model,bonds,iterations_per_load_step,ms_per_iteration\n"
LATTICE = ("isa,precision,cells,faces,threads,million_updates_per_s,read_and_write_GB_per_s,percent_of_that\n")
DIPOLES = ("method,isa,scene,dipoles,moments,accuracy,threads,s,field_error,force_error,field_median,force_median\n")


class Compare(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)

    def put(self, folder, program, *texts):
        """A program that prints one text after the other, a call each, then the last one for ever."""
        bench = self.root / folder / "bench"
        bench.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(texts):
            (bench / f"{program}.{number}").write_text(text)
        path = bench / program
        path.write_text(f"""#!/bin/sh
cd "$(dirname "$0")" || exit 1
n=$(cat {program}.calls 2>/dev/null || echo 0)
echo $((n + 1)) >{program}.calls
[ -f {program}.$n ] || n={len(texts) - 1}
cat {program}.$n
""")
        path.chmod(0o755)

    def calls(self, folder, program):
        return int((self.root / folder / "bench" / f"{program}.calls").read_text())

    def compare(self, *words):
        return subprocess.run([sys.executable, COMPARE, self.root / "a", self.root / "b", *words], text=True,
                              capture_output=True, check=False, env={**os.environ, "LC_ALL": "C"})

    def test_as_fast_passes(self):
        self.put("a", "newton", NEWTON + "avx2,exact,300,3.00,0.300\n")
        self.put("b", "newton", NEWTON + "avx2,exact,300,3.00,0.309\n")
        done = self.compare("--rounds", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1.030 (1.030 to 1.030)", done.stdout)
        self.assertIn("2 lines, 0 slower by more than 5 %", done.stdout)
        self.assertEqual(self.calls("a", "newton"), 3)

    def test_slower_fails_and_is_named(self):
        self.put("a", "newton", NEWTON + "avx2,exact,300,3.00,0.300\navx2,vector,300,3.00,0.50\n")
        self.put("b", "newton", NEWTON + "avx2,exact,300,3.00,0.300\navx2,vector,300,3.00,0.53\n")
        done = self.compare("--rounds", "2")
        self.assertEqual(done.returncode, 1, done.stderr)
        slow = [line for line in done.stdout.splitlines() if line.endswith("SLOWER")]
        self.assertEqual(len(slow), 1, done.stdout)
        self.assertIn("avx2 vector 300", slow[0])
        self.assertIn("1.060", slow[0])
        self.assertEqual(self.calls("b", "newton"), 4)  # as many rounds again, to be sure
        self.assertEqual(self.compare("--rounds", "2", "--limit", "7").returncode, 0)

    def test_more_iterations_fail(self):
        self.put("a", "newton", NEWTON + "avx2,exact,30000,3.00,30\n")
        self.put("b", "newton", NEWTON + "avx2,exact,30000,7.20,30\n")
        done = self.compare()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("iterations_per_load_step", done.stdout)

    def test_speeds_count_the_other_way_round(self):
        row = "avx2,single,160x96x80,two walls,1,{},20,50\n"
        self.put("a", "lattice", LATTICE + row.format(200))
        self.put("b", "lattice", LATTICE + row.format(160))
        done = self.compare()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("1.250", done.stdout)
        self.assertNotIn("read_and_write", done.stdout)
        self.put("b", "lattice", LATTICE + row.format(240))
        self.assertEqual(self.compare().returncode, 0)

    def test_sums_of_dipoles_are_asked_for_line_by_line(self):
        row = "mesh of {} order 6 cut 3.10,avx2,grid,27000,random,1e-04,1,{},{},1e-5,1e-6,1e-6\n"
        self.put("a", "dipole_sums", DIPOLES + row.format(54, 0.5, "1e-5"))
        self.put("b", "dipole_sums", DIPOLES + row.format(60, 0.51, "9e-5"))  # another mesh, and less accurate
        done = self.compare("--rounds", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("mesh avx2 grid 27000 random 1e-04 1", done.stdout)
        self.assertIn("1 lines, 0 slower", done.stdout)
        self.assertEqual(self.calls("a", "dipole_sums"), 8)  # a line a call
        self.put("b", "dipole_sums", DIPOLES + row.format(60, 0.6, "1e-5"))
        self.assertEqual(self.compare("--rounds", "1").returncode, 1)

    def test_one_disturbed_round_is_no_change(self):
        quiet, busy = (NEWTON + f"avx2,exact,300,3.00,{ms}\n" for ms in ("0.300", "0.900"))
        self.put("a", "newton", quiet)
        self.put("b", "newton", busy, quiet)
        done = self.compare("--rounds", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1.000 (1.000 to 3.000)", done.stdout)

    def test_what_only_one_build_has_is_said(self):
        self.put("a", "newton", NEWTON + "avx2,exact,300,3.00,0.3\n")
        self.put("b", "newton", NEWTON + "avx2,exact,300,3.00,0.3\navx2,exact,30000,3.00,30\n")
        self.put("b", "lattice", LATTICE)
        done = self.compare("--rounds", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("newton: only in AFTER: avx2 exact 30000 ms_per_iteration", done.stdout)
        self.assertIn("lattice: only in", done.stdout)

    def refused(self, said, *words):
        done = self.compare(*words)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn(said, done.stderr)

    def test_what_cannot_be_compared_is_refused(self):
        self.refused("no bench program in common")
        self.put("a", "newton", NEWTON + "avx2,exact,300,3.00,0.3\n")
        self.refused("bench/newton is not there", "newton")
        self.put("b", "newton", "Segmentation fault\n")
        self.refused("no line to compare", "newton")
        self.put("b", "newton", NEWTON + "avx2,exact,300\n")
        self.refused("a line that no table has", "newton")
        self.refused("is none of", "netwon")
        self.refused("--rounds", "--rounds", "0")
        self.refused("--lines", "--lines", "(")
        (self.root / "b" / "bench" / "newton").write_text("#!/bin/sh\necho no memory >&2\nexit 3\n")
        self.refused("ended with status 3: no memory", "newton")


if __name__ == "__main__":
    unittest.main()
