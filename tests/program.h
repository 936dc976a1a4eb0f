#pragma once
// Running the program from outside, as a person would.
#include <array>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace ls::program {

namespace fs = std::filesystem;

// An empty folder that goes with the test.
class Scratch {
 public:
  Scratch() {
    static std::atomic<int> number{0};
    path_ = fs::temp_directory_path() / ("lodestone_" + std::to_string(getpid()) + "_" + std::to_string(number++));
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Scratch() {
    std::error_code e;
    fs::remove_all(path_, e);
  }
  fs::path operator/(const std::string& name) const { return path_ / name; }
  std::string text(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

inline std::string contents(const fs::path& p) {
  std::ifstream in(p, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline void write(const fs::path& p, const std::string& text) {
  std::ofstream(p, std::ios::binary) << text;
}

struct Answer {
  int code;
  std::string text;  // of stdout and stderr
};

// Runs `lodestone ARGUMENTS`.
inline Answer lodestone(const std::string& arguments, const std::string& environment = "") {
  const std::string line = environment + " '" LODESTONE_PROGRAM "' " + arguments + " 2>&1";
  FILE* pipe = popen(line.c_str(), "r");
  Answer a{-1, ""};
  std::array<char, 4096> buffer;
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) a.text.append(buffer.data(), n);
  const int status = pclose(pipe);
  a.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return a;
}

// Starts `lodestone ARGUMENTS` and goes on; wait_for gives its exit code.
inline pid_t start(const std::vector<std::string>& arguments) {
  const pid_t child = fork();
  if (child != 0) return child;
  std::vector<char*> argv = {const_cast<char*>(LODESTONE_PROGRAM)};
  for (const auto& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  execv(LODESTONE_PROGRAM, argv.data());
  _exit(127);
}

inline int wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A rod that swings, with frames, probes and a checkpoint often: some 10^5 steps.
inline std::string swinging_rod(const std::string& duration) {
  return R"(title = "Swinging rod"
[solver]
kind = "explicit"
dt = "10 us"
[material.rubber]
young = "1 MPa"
poisson = 0.45
density = "1.1 g/cm^3"
[[rod]]
name = "rod"
material = "rubber"
section = { diameter = "6 mm" }
line = { from = [0, 0, 0], to = ["200 mm", 0, 0] }
bonds = 20
clamp = ["start"]
[gravity]
g = [0, "-9.81 m/s^2", 0]
[damping]
bond = { stretch = "20 us", shear = "20 us", bend = "20 us", twist = "20 us" }
[thermal]
temperature = "300 K"
time = "1 s"
[output]
every = "100 ms"
checkpoint = "30 ms"
dump = true
[[probe]]
name = "tip"
of = "rod.end"
record = ["position", "velocity"]
every = "10 ms"
[[stage]]
name = "fall"
duration = ")" +
         duration + R"("
[[stage]]
name = "turn"
duration = ")" +
         duration + R"("
[[stage.drive]]
on = "rod.start"
turn = { axis = [0, 0, 1], angle = "90 deg * s" }
)";
}

}  // namespace ls::program
