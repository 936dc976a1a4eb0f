#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ls {

// What was asked for: a path and its parameters, decoded. Names of headers are in small letters.
struct HttpRequest {
  std::string method, path;
  std::map<std::string, std::string> query, headers;
  std::string body;

  // A header or a parameter; empty where there is none.
  std::string header(const std::string& name) const;
  std::string parameter(const std::string& name) const;
};

struct HttpReply {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::map<std::string, std::string> headers;
  // Where it is set, called again and again for what comes next, until it gives nothing; the body is then not sent. It
  // has to return within a second, if only with an empty text.
  std::function<std::optional<std::string>()> stream;
};

HttpReply http_refusal(int status, const std::string& why);

// The head of a request, up to the empty line. Nothing: it is none.
std::optional<HttpRequest> parse_http_head(std::string_view head);
// Of a reply, with its empty line. length: of the body; none for a stream.
std::string http_head(const HttpReply& reply, std::optional<std::size_t> length);

// "%2e" becomes "."; nothing where a code is cut short or is none, or where a zero byte would come of it.
std::optional<std::string> decode_url(std::string_view text);

}  // namespace ls
