#pragma once
#include "build/shell.h"
#include "model/soft_table.h"

namespace ls {

// Nodes of a soft sheet, each the piece of it that the node stands for, in the node's axes, of which the third is the
// normal. Throws Error where the sheet is thicker than its nodes are apart, so that it is none.
std::vector<SoftCell> sheet_cells(const ShellSpec& shell, const std::vector<double>& areas,
                                  const std::vector<Quat<double>>& axes);

}  // namespace ls
