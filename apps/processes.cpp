#include "apps/processes.h"

#include "base/error.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ls::app {

namespace {

[[noreturn]] void cannot_start(int code) {
  throw Error(std::string("can't start another process: ") + std::strerror(code), Fault::io);
}

// The child's side of a start. It has a process group of its own: a Ctrl-C at the terminal would otherwise reach it
// twice, from the terminal and from the program that started it, and the second one ends a run without a checkpoint.
[[noreturn]] void become(char* const* argv, int output, pid_t parent, const sigset_t& signals) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // should the parent be killed, nobody is left who reads the results
  if (getppid() != parent) _exit(128 + SIGTERM);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  execv("/proc/self/exe", argv);  // the same program even where its file has been replaced since
  dprintf(STDERR_FILENO, "error: can't start /proc/self/exe: %s\n", std::strerror(errno));
  _exit(static_cast<int>(Fault::io));
}

std::string text_of(int descriptor) {
  std::string text;
  char block[4096];
  lseek(descriptor, 0, SEEK_SET);
  for (ssize_t n; text.size() < (1 << 16) && (n = read(descriptor, block, sizeof block)) > 0;)
    text.append(block, static_cast<std::size_t>(n));
  return text;
}

}  // namespace

// The signals are blocked and fetched rather than handled: none can come between a look and a wait.
Processes::Processes() {
  std::signal(SIGCHLD, SIG_DFL);  // whoever started this program may have had it ignored
  sigemptyset(&watched_);
  for (const int s : {SIGCHLD, SIGINT, SIGTERM}) sigaddset(&watched_, s);
  struct sigaction hangup {};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaddset(&watched_, SIGHUP);  // nohup asks to outlive the terminal
  sigprocmask(SIG_BLOCK, &watched_, &before_);
}

Processes::~Processes() {
  pass_on(SIGTERM);
  for (const auto& [pid, child] : children_) {
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    close(child.output);
  }
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void Processes::start(std::size_t id, const std::vector<std::string>& arguments) {
  std::vector<char*> argv{const_cast<char*>("lodestone")};
  for (const auto& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  // A file in memory rather than a pipe: nobody must empty it for the child to go on.
  const int output = memfd_create("output", MFD_CLOEXEC);
  if (output < 0) cannot_start(errno);
  const pid_t parent = getpid(), pid = fork();
  if (pid == 0) become(argv.data(), output, parent, before_);
  if (pid < 0) {
    const int code = errno;
    close(output);
    cannot_start(code);
  }
  children_.emplace(pid, Child{id, output});
}

std::optional<Processes::Ended> Processes::ended() {
  for (const auto& [pid, child] : children_) {
    int status = 0;
    if (waitpid(pid, &status, WNOHANG) != pid) continue;
    Ended e{child.id, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(child.output)};
    close(child.output);
    children_.erase(pid);
    return e;
  }
  return std::nullopt;
}

std::optional<Processes::Ended> Processes::wait(double seconds) {
  if (auto e = ended()) return e;
  timespec time{};
  time.tv_sec = static_cast<time_t>(seconds);
  time.tv_nsec = static_cast<long>(1e9 * (seconds - std::floor(seconds)));
  const int s = sigtimedwait(&watched_, nullptr, &time);
  if (s == SIGCHLD) return ended();
  if (s == SIGINT || s == SIGTERM || s == SIGHUP) {
    if (signal_ == 0) signal_ = s;
    pass_on(s);
  }
  return std::nullopt;
}

void Processes::pass_on(int signal) {
  for (const auto& [pid, child] : children_) kill(pid, signal);
}

}  // namespace ls::app
