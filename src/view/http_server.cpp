#include "view/http_server.h"

#include "base/error.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ls {

namespace {

int listen_at(int port) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (listener >= 0 && bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      listen(listener, 64) == 0)
    return listener;
  const int code = errno;
  if (listener >= 0) close(listener);
  throw Error(fmt::format("cannot listen at 127.0.0.1:{}: {}{}", port, std::strerror(code),
                          port > 0 ? "; give another --port, or none for a free one" : ""),
              Fault::io);
}

bool send_all(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool has_hung_up(int connection) {
  pollfd p{connection, POLLIN, 0};
  if (poll(&p, 1, 0) <= 0) return false;
  char byte = 0;
  return recv(connection, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0 || (p.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

HttpServer::HttpServer(int port, Handler handler, const Limits& limits)
    : handler_(std::move(handler)), limits_(limits), listener_(listen_at(port)) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  accepting_ = std::thread([this] { accept_all(); });
}

HttpServer::~HttpServer() {
  stopping_ = true;
  shutdown(listener_, SHUT_RDWR);
  accepting_.join();
  close(listener_);
  std::unique_lock lock(mutex_);
  for (const int connection : open_) shutdown(connection, SHUT_RDWR);
  all_gone_.wait(lock, [this] { return open_.empty(); });
}

void HttpServer::accept_all() {
  while (!stopping_) {
    const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) {
      // Out of descriptors for a while, or a peer that is gone already: no reason to turn in circles.
      if (!stopping_ && errno != EINTR) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      continue;
    }
    const timeval patience{limits_.seconds, 0};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    const std::lock_guard lock(mutex_);
    if (stopping_ || static_cast<int>(open_.size()) >= limits_.connections) {
      const HttpReply full = http_refusal(503, "too many connections at once");
      send_all(connection, http_head(full, full.body.size()) + full.body);
      close(connection);
      continue;
    }
    open_.insert(connection);
    try {
      std::thread([this, connection] { serve(connection); }).detach();
    } catch (const std::exception&) {  // no more threads
      open_.erase(connection);
      close(connection);
    }
  }
}

void HttpServer::serve(int connection) {
  HttpReply refusal;
  if (const auto request = read_request(connection, refusal))
    answer(connection, *request);
  else if (refusal.status != 200)
    send_all(connection, http_head(refusal, refusal.body.size()) + refusal.body);
  shutdown(connection, SHUT_WR);
  // What is still on its way in would turn the end of the connection into a reset, and the reply would be lost with it.
  char rest[4096];
  for (int k = 0; k < 64 && !stopping_ && recv(connection, rest, sizeof rest, 0) > 0; ++k) {
  }
  const std::lock_guard lock(mutex_);
  close(connection);
  open_.erase(connection);
  all_gone_.notify_all();
}

std::optional<HttpRequest> HttpServer::read_request(int connection, HttpReply& refusal) const {
  using Wall = std::chrono::steady_clock;
  const auto end = Wall::now() + std::chrono::seconds(limits_.seconds);
  const auto refuse = [&](int status, const char* why) {
    refusal = http_refusal(status, why);
    return std::nullopt;
  };
  std::string bytes;
  char block[16384];
  const auto take_more = [&] {
    const ssize_t n = recv(connection, block, sizeof block, 0);
    if (n > 0) bytes.append(block, static_cast<std::size_t>(n));
    return n > 0 && Wall::now() < end;
  };
  std::size_t head = std::string::npos;
  while ((head = bytes.find("\r\n\r\n")) == std::string::npos) {
    if (bytes.size() > limits_.head) return refuse(431, "the head of the request is too long");
    if (!take_more()) return bytes.empty() ? std::nullopt : refuse(408, "the request did not come to its end");
  }
  if (head > limits_.head) return refuse(431, "the head of the request is too long");
  auto request = parse_http_head(std::string_view(bytes).substr(0, head + 2));
  if (!request) return refuse(400, "not a request of HTTP/1.1");
  if (!request->header("transfer-encoding").empty()) return refuse(400, "a body needs a Content-Length");
  std::size_t length = 0;
  const std::string given = request->header("content-length");
  const auto [rest, bad] = std::from_chars(given.data(), given.data() + given.size(), length);
  if (!given.empty() && (bad != std::errc() || rest != given.data() + given.size()))
    return refuse(400, "Content-Length is not a number");
  if (length > limits_.body) return refuse(413, "the body is too large");
  while (bytes.size() < head + 4 + length)
    if (!take_more()) return refuse(408, "the request did not come to its end");
  request->body = bytes.substr(head + 4, length);
  return request;
}

void HttpServer::answer(int connection, const HttpRequest& request) {
  HttpReply reply;
  try {
    reply = handler_(request);
  } catch (const std::bad_alloc&) {
    reply = http_refusal(500, "out of memory");
  } catch (const std::exception& e) {
    reply = http_refusal(500, e.what());
  }
  if (reply.stream) return send_stream(connection, reply);
  if (!send_all(connection, http_head(reply, reply.body.size()))) return;
  if (request.method != "HEAD") send_all(connection, reply.body);
}

void HttpServer::send_stream(int connection, const HttpReply& reply) {
  if (!send_all(connection, http_head(reply, std::nullopt))) return;
  while (!stopping_ && !has_hung_up(connection)) {
    const auto next = reply.stream();
    if (!next || !send_all(connection, *next)) return;
  }
}

}  // namespace ls
