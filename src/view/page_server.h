#pragma once
#include "view/http_server.h"
#include "view/run_view.h"

namespace ls {

// A file of the page, which lies in the program.
struct PageFile {
  std::string path, type;  // "/", "text/html; charset=utf-8"
  std::string_view bytes;
};

// How far a run is that this program goes along with, and what it can be told.
struct PageOptions {
  int port = 0;                 // 0: a free one
  std::vector<PageFile> files;  // none: a build without the page
  std::string token;            // that a page must show to control the run or to hand in pictures; empty: none may
  std::string query;            // of the page's address, beside the token: "&frame=3"
  std::function<nlohmann::json()> progress;                       // of a live run: merged into what is told of it
  std::function<bool(const std::string& order)> control;          // "pause", "resume", "stop"; false: no such order
  std::function<void(std::size_t number, std::string png)> shot;  // takes a picture that the page has drawn
};

// Serves the page and what it asks for: the run by numbers, never by names of files. To this machine's own browser
// alone: whoever asks under another name of host, or from another site's page, is refused.
class PageServer {
 public:
  PageServer(const std::filesystem::path& folder, PageOptions options);

  std::string address() const;  // with the token
  int port() const { return server_.port(); }
  int pages() const { return pages_; }  // that are open now, as far as they listen for news
  // Seconds since the last one was seen, or since the start.
  double seconds_alone() const;
  RunView& run() { return run_; }

 private:
  HttpReply reply(const HttpRequest& request);
  HttpReply read(const HttpRequest& request);
  HttpReply write(const HttpRequest& request);
  HttpReply news();
  nlohmann::json about();
  std::string refusal(const HttpRequest& request) const;
  bool knows_token(const HttpRequest& request) const;

  PageOptions options_;
  RunView run_;
  std::atomic<int> pages_{0};
  std::atomic<std::chrono::steady_clock::rep> last_seen_;
  HttpServer server_;  // the last: it calls the others
};

// What nobody guesses: 128 bits, as hexadecimal digits.
std::string random_token();

}  // namespace ls
