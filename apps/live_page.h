#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace ls::app {

// Shows an address in the browser of whoever sits before the machine; does nothing where there is no screen.
void open_browser(const std::string& address);

struct LiveOptions {
  std::filesystem::path out;
  int port = 0;
  bool control = false, open = true, json = false;
};

// Splits the program in two: the run, and a page that shows it. They are two processes because the HDF5 library is for
// one thread alone, and because nothing that a page asks for may change a run or slow it down.
//
// In the process that is to run it comes back at once, with the descriptor that takes its progress: a line of JSON each
// time. In the other one it serves the page until the run has ended and no page is open any more, and gives the exit
// code of the run.
struct LivePart {
  std::optional<int> exit_code;  // of the process that served the page
  int progress = -1;             // descriptor
};
LivePart split_for_page(const LiveOptions& options);

}  // namespace ls::app
