#include "apps/commands.h"
#include "apps/live_page.h"
#include "apps/page_files.h"

#include <csignal>
#include <cstdio>

namespace ls::app {

namespace {

struct ViewArguments {
  std::string folder;
  int port = 0;
  bool open = true;
};

// The signals that end a program are fetched, not handled: the server's threads never see them.
int wait_for_signal() {
  sigset_t ends;
  sigemptyset(&ends);
  for (const int s : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ends, s);
  int signal = 0;
  sigwait(&ends, &signal);
  return signal;
}

int act(const ViewArguments& o) {
  sigset_t ends;
  sigemptyset(&ends);
  for (const int s : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ends, s);
  sigprocmask(SIG_BLOCK, &ends, nullptr);
  PageOptions options;
  options.port = o.port;
  options.files = page_files();
  const PageServer server(o.folder, std::move(options));
  std::printf("%s\n", server.address().c_str());
  std::fprintf(stderr, "serving %s to this machine; Ctrl-C ends it\n", o.folder.c_str());
  std::fflush(stdout);
  if (o.open) open_browser(server.address());
  wait_for_signal();
  return 0;
}

}  // namespace

Action add_view(CLI::App& app) {
  auto* c = app.add_subcommand("view", "Show a run on a page in the browser, also while it goes on");
  auto o = std::make_shared<ViewArguments>();
  c->add_option("folder", o->folder, "The --out of a run")->required();
  c->add_option("--port", o->port, "Port at 127.0.0.1 (default: a free one)")->check(CLI::Range(0, 65535));
  c->add_flag("!--no-open", o->open, "Do not open a browser, only print the address");
  c->footer("Example:\n  lodestone view out/cantilever");
  return [o] { return act(*o); };
}

}  // namespace ls::app
