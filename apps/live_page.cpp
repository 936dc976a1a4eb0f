#include "apps/live_page.h"

#include "apps/page_files.h"
#include "base/error.h"
#include "run/resume/leavings.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ls::app {

namespace {

constexpr double patience = 5;  // s, without a page, before the program ends after the run has

sigset_t ending_signals() {
  sigset_t ends;
  sigemptyset(&ends);
  for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&ends, s);
  return ends;
}

// The process that runs, seen from the one that serves.
class LiveRun {
 public:
  LiveRun(pid_t pid, int progress) : pid_(pid), progress_(progress) {}
  ~LiveRun() {
    if (!code_) {
      tell(SIGTERM);
      while (!code_) has_ended(0);
    }
    close(progress_);
  }
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  pid_t pid() const { return pid_; }
  const std::optional<int>& code() const { return code_; }

  bool obey(const std::string& order) {
    const std::lock_guard lock(mutex_);
    if (order != "pause" && order != "resume" && order != "stop") return false;
    if (code_) return true;
    if (order == "stop") kill(pid_, SIGINT);
    kill(pid_, order == "pause" ? SIGSTOP : SIGCONT);
    paused_ = order == "pause";
    return true;
  }
  void tell(int signal) {
    kill(pid_, signal);
    kill(pid_, SIGCONT);  // a process that is paused would never hear of it
  }
  bool has_ended(int options) {
    int status = 0;
    if (waitpid(pid_, &status, options) != pid_) return false;
    const std::lock_guard lock(mutex_);
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return true;
  }
  void read_progress() {
    char block[4096];
    ssize_t n = 0;
    const std::lock_guard lock(mutex_);
    while ((n = read(progress_, block, sizeof block)) > 0) text_.append(block, static_cast<std::size_t>(n));
    const std::size_t end = text_.rfind('\n');
    if (end == std::string::npos) return;
    const std::size_t before = end == 0 ? std::string::npos : text_.rfind('\n', end - 1);
    const std::size_t first = before == std::string::npos ? 0 : before + 1;
    last_ = nlohmann::json::parse(text_.substr(first, end - first), nullptr, false);
    text_.erase(0, end + 1);
  }
  nlohmann::json progress() {
    const std::lock_guard lock(mutex_);
    nlohmann::json j{{"paused", paused_ && !code_}};
    if (last_.is_object() && !code_) j["progress"] = last_;
    return j;
  }

 private:
  pid_t pid_;
  int progress_;
  std::mutex mutex_;
  bool paused_ = false;
  std::optional<int> code_;
  std::string text_;
  nlohmann::json last_;
};

// Waits for a signal, at most so long; passes on those that are to end the run.
int next_signal(LiveRun& run, const sigset_t& watched, long milliseconds) {
  const timespec time{0, milliseconds * 1'000'000};
  const int s = sigtimedwait(&watched, nullptr, &time);
  if (!run.code()) run.has_ended(WNOHANG);
  if (s > 0 && s != SIGCHLD && !run.code()) run.tell(s);
  run.read_progress();
  return s == SIGCHLD ? 0 : s;
}

// The folder is the run's as soon as its lock is.
bool has_begun(const LiveRun& run, const std::filesystem::path& out) {
  return living_writer(out).starts_with(fmt::format("process {} ", run.pid())) && is_run_folder(out) &&
         std::filesystem::file_size(out / log_file) > 0;
}

void announce(const LiveOptions& o, const std::string& address) {
  if (o.json) {
    std::printf("%s\n", nlohmann::json{{"page", address}}.dump().c_str());
    std::fflush(stdout);
  } else {
    std::fprintf(stderr, "page: %s\n", address.c_str());
  }
  if (o.open) open_browser(address);
}

int serve_run(LiveRun& run, const LiveOptions& o, std::vector<PageFile> files) {
  const sigset_t watched = ending_signals();
  while (!run.code() && !has_begun(run, o.out)) next_signal(run, watched, 50);
  if (run.code()) return *run.code();
  PageOptions options;
  options.port = o.port;
  options.files = std::move(files);
  options.progress = [&run] { return run.progress(); };
  if (o.control) {
    options.token = random_token();
    options.control = [&run](const std::string& order) { return run.obey(order); };
  }
  const PageServer server(o.out, std::move(options));
  announce(o, server.address());
  while (!run.code()) next_signal(run, watched, 100);
  bool has_told = o.json;
  while (server.seconds_alone() < patience) {
    if (!has_told && server.pages() > 0)
      std::fprintf(stderr, "the run has ended; the page is served as long as it is open, or until Ctrl-C\n");
    has_told = has_told || server.pages() > 0;
    if (next_signal(run, watched, 200) > 0) break;
  }
  return *run.code();
}

}  // namespace

void open_browser(const std::string& address) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  const pid_t child = fork();
  if (child == 0) {
    if (fork() != 0) _exit(0);  // the grandchild belongs to nobody who would have to wait for it
    setsid();
    const int nothing = open("/dev/null", O_RDWR);
    for (const int d : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, d);
    execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

LivePart split_for_page(const LiveOptions& o) {
  std::vector<PageFile> files = page_files();
  std::signal(SIGCHLD, SIG_DFL);  // whoever started this program may have had it ignored
  const sigset_t watched = ending_signals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &watched, &before);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
    throw Error(std::string("cannot make a pipe: ") + std::strerror(errno), Fault::io);
  std::fflush(nullptr);
  const pid_t parent = getpid(), pid = fork();
  if (pid < 0) throw Error(std::string("cannot start another process: ") + std::strerror(errno), Fault::io);
  if (pid == 0) {
    // A group of its own: a Ctrl-C at the terminal would reach it twice, and the second one ends a run at once.
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(128 + SIGTERM);
    close(ends[0]);
    std::signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return {std::nullopt, ends[1]};
  }
  close(ends[1]);
  LiveRun run(pid, ends[0]);
  return {serve_run(run, o, std::move(files)), -1};
}

}  // namespace ls::app
