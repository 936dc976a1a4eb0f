#pragma once
#include "view/page_server.h"

namespace ls::app {

// The page, as it was bundled into the program; throws Error where it was built without.
std::vector<PageFile> page_files();

}  // namespace ls::app
