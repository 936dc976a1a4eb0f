#include "view/http_message.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace ls {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Cuts off what stands before the separator, and the separator; all of it where there is none.
std::string_view cut_before(std::string_view& text, std::string_view separator) {
  const std::size_t at = text.find(separator);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + separator.size());
  return part;
}

bool add_parameters(std::string_view text, std::map<std::string, std::string>& out) {
  while (!text.empty()) {
    std::string_view pair = cut_before(text, "&");
    const auto name = decode_url(cut_before(pair, "=")), value = decode_url(pair);
    if (!name || !value) return false;
    if (!name->empty()) out[*name] = *value;
  }
  return true;
}

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

}  // namespace

std::string HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

std::string HttpRequest::parameter(const std::string& name) const {
  const auto found = query.find(name);
  return found == query.end() ? std::string() : found->second;
}

HttpReply http_refusal(int status, const std::string& why) {
  HttpReply reply;
  reply.status = status;
  reply.body = why + "\n";
  return reply;
}

std::optional<std::string> decode_url(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      if (text[i] == '\0') return std::nullopt;
      out += text[i];
      continue;
    }
    const auto digit = [](char c) {
      if (c >= '0' && c <= '9') return c - '0';
      if (c >= 'a' && c <= 'f') return c - 'a' + 10;
      return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    };
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = digit(text[i + 1]), low = digit(text[i + 2]);
    if (high < 0 || low < 0 || 16 * high + low == 0) return std::nullopt;
    out += static_cast<char>(16 * high + low);
    i += 2;
  }
  return out;
}

std::optional<HttpRequest> parse_http_head(std::string_view head) {
  HttpRequest r;
  std::string_view line = cut_before(head, "\r\n");
  r.method = cut_before(line, " ");
  std::string_view target = cut_before(line, " ");
  if (r.method.empty() || target.empty() || target.front() != '/' || !line.starts_with("HTTP/1.")) return std::nullopt;
  target = target.substr(0, target.find('#'));
  const auto path = decode_url(cut_before(target, "?"));
  if (!path || !add_parameters(target, r.query)) return std::nullopt;
  r.path = *path;
  while (!head.empty()) {
    std::string_view field = cut_before(head, "\r\n");
    if (field.empty()) break;
    if (field.find(':') == std::string_view::npos) return std::nullopt;
    const std::string name = lower(cut_before(field, ":"));
    if (name.empty() || name.find(' ') != std::string::npos) return std::nullopt;
    // Two hosts or two lengths would be two meanings of one request.
    if (!r.headers.emplace(name, trimmed(field)).second && (name == "host" || name == "content-length"))
      return std::nullopt;
  }
  return r;
}

std::string http_head(const HttpReply& reply, std::optional<std::size_t> length) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nConnection: close\r\n", reply.status,
                                 reason(reply.status), reply.type);
  if (length) head += fmt::format("Content-Length: {}\r\n", *length);
  for (const auto& [name, value] : reply.headers) head += fmt::format("{}: {}\r\n", name, value);
  return head + "\r\n";
}

}  // namespace ls
