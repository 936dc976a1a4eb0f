#include "apps/page_files.h"

#include "base/error.h"

#ifdef LODESTONE_PAGE_FOLDER
// As arrays in C++ they would take the compiler minutes.
#define LS_EMBED(name, file)                                         \
  __asm__(                                                           \
      ".pushsection .rodata\n"                                       \
      ".global ls_page_" name ", ls_page_" name                      \
      "_end\n"                                                       \
      ".hidden ls_page_" name ", ls_page_" name                      \
      "_end\n"                                                       \
      "ls_page_" name ":\n.incbin \"" LODESTONE_PAGE_FOLDER "/" file \
      "\"\n"                                                         \
      "ls_page_" name "_end:\n.byte 0\n.popsection\n")
LS_EMBED("html", "index.html");
LS_EMBED("css", "page.css");
LS_EMBED("js", "page.js");
#undef LS_EMBED

extern "C" {
extern const char ls_page_html[], ls_page_html_end[], ls_page_css[], ls_page_css_end[], ls_page_js[], ls_page_js_end[];
}
#endif

namespace ls::app {

std::vector<PageFile> page_files() {
#ifdef LODESTONE_PAGE_FOLDER
  std::vector<PageFile> files{{"/", "text/html; charset=utf-8", {ls_page_html, ls_page_html_end}},
                              {"/page.css", "text/css; charset=utf-8", {ls_page_css, ls_page_css_end}},
                              {"/page.js", "text/javascript; charset=utf-8", {ls_page_js, ls_page_js_end}}};
  if (!files.back().bytes.empty()) return files;
#endif
  throw Error(
      "this lodestone was built without its page: install node and npm (apt-get install nodejs npm), then build "
      "again with a network",
      Fault::io);
}

}  // namespace ls::app
