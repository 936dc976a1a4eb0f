#pragma once
#include "view/blob.h"

#include <filesystem>

namespace ls {

// The rows of a table of probes from one on, a column an array; what is no number (the name of a stage, a cell that is
// empty) is NaN. A last line that is only half written is left for the next time.
Blob probe_blob(const std::filesystem::path& table, std::size_t first_row);

}  // namespace ls
