#include "base/error.h"
#include "view/capture.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ls {

namespace fs = std::filesystem;

fs::path find_program(std::span<const char* const> names) {
  const char* const given = std::getenv("PATH");
  const std::string all = given ? given : "/usr/bin:/bin";
  for (const char* name : names)
    for (std::size_t at = 0; at <= all.size();) {
      const std::size_t end = std::min(all.find(':', at), all.size());
      const fs::path path = fs::path(all.substr(at, end - at)) / name;
      if (access(path.c_str(), X_OK) == 0) return path;
      at = end + 1;
    }
  return {};
}

fs::path find_browser() {
  constexpr const char* names[] = {"chromium", "chromium-browser", "google-chrome-stable", "google-chrome"};
  const fs::path path = find_program(names);
  if (path.empty())
    throw Error("pictures are drawn by the page in Chromium, which is not there: apt-get install chromium", Fault::io);
  return path;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "lodestone-XXXXXX").string();
  if (!mkdtemp(name.data())) throw Error(name + ": cannot make: " + std::strerror(errno), Fault::io);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code e;
  fs::remove_all(path_, e);
}

OtherProgram::OtherProgram(const std::vector<std::string>& arguments, const fs::path& output) {
  std::vector<char*> argv;
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) throw Error(std::string("cannot start another process: ") + std::strerror(errno), Fault::io);
  if (pid_ > 0) return;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  const int nothing = open("/dev/null", O_RDONLY);
  const int log = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  dup2(nothing, STDIN_FILENO);
  for (const int d : {STDOUT_FILENO, STDERR_FILENO}) dup2(log, d);
  execv(argv[0], argv.data());
  _exit(127);
}

OtherProgram::~OtherProgram() {
  if (code_) return;
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);  // should it not have its group yet
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::optional<int> OtherProgram::ended() {
  int status = 0;
  if (!code_ && waitpid(pid_, &status, WNOHANG) == pid_)
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return code_;
}

}  // namespace ls
