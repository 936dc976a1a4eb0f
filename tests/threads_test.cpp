// Threads that do not pay are not used.
#include "tests/program.h"

#include <sys/resource.h>

namespace ls::program::threads_test {

// s of processor time of a run, all threads together.
double processor_time(const std::vector<std::string>& arguments) {
  const pid_t child = start(arguments);
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// A magnetised filament whose energy in the field is asked for in every step: of 30 bonds there is nothing to share.
std::string filament(const std::string& kind) {
  return "[solver]\nkind = \"" + kind +
         "\"\ndt = \"20 us\"\nsteps = 3000\n"
         "[material.m]\nyoung = \"1 MPa\"\npoisson = 0.4\ndensity = \"1.1 g/cm^3\"\nmagnetisation = \"50 kA/m\"\n"
         "[[rod]]\nname = \"r\"\nmaterial = \"m\"\nsection = { diameter = \"3 mm\" }\n"
         "line = { from = [0, 0, 0], to = [\"90 mm\", 0, 0] }\nbonds = 30\nclamp = [\"start\"]\n"
         "magnetisation_direction = [1, 0, 0]\n"
         "[[field]]\nuniform = [0, \"10 mT*sin(100*t/1 s)\", 0]\n"
         "[output]\nevery = \"1 s\"\npicture = false\n"
         "[[probe]]\nof = \"system\"\nrecord = \"ledger\"\nevery = 1000\n";
}

TEST(ThreadedRun, OfAFewBondsTakesNoMoreProcessorTimeThanOneThread) {
  for (const char* kind : {"explicit", "implicit"}) {
    Scratch s;
    write(s / "scene.toml", filament(kind));
    const auto time = [&](const std::string& threads) {
      return processor_time({"run", s.text("scene.toml"), "--quiet", "--threads", threads, "--out", s.text(threads)});
    };
    const double one = time("1"), four = time("4");
    EXPECT_LT(four, 1.5 * one + 0.1) << kind;
    EXPECT_EQ(contents(s / "1/probes.csv"), contents(s / "4/probes.csv"));
  }
}

}  // namespace ls::program::threads_test
