#pragma once
#include "view/http_message.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

namespace ls {

// A small HTTP/1.1 server for one person's browser on this machine: it listens at 127.0.0.1 alone, each request has a
// connection and a thread of its own, and there are limits on how many, how long and how large.
class HttpServer {
 public:
  using Handler = std::function<HttpReply(const HttpRequest&)>;
  struct Limits {
    std::size_t head = 16 << 10, body = 0;  // bytes; a longer body is refused before it is read
    int connections = 48;                   // at once
    int seconds = 10;                       // to send a request in, or to take some of the reply
  };

  // port: 0 for a free one. Throws Error (Fault::io) where it is taken. The handler is called by many threads.
  HttpServer(int port, Handler handler, const Limits& limits);
  ~HttpServer();  // breaks off what is under way
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const { return port_; }

 private:
  void accept_all();
  void serve(int connection);
  std::optional<HttpRequest> read_request(int connection, HttpReply& refusal) const;
  void answer(int connection, const HttpRequest& request);
  void send_stream(int connection, const HttpReply& reply);

  Handler handler_;
  Limits limits_;
  int listener_ = -1, port_ = 0;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable all_gone_;
  std::set<int> open_;  // descriptors of connections
  std::thread accepting_;
};

}  // namespace ls
