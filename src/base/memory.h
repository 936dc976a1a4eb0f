#pragma once

namespace ls {

// Bytes that this process may have: those of the machine, of its control group, and of its limit on address space
// (`ulimit -v`), whichever is least; infinite where nobody knows.
double memory_there();

}  // namespace ls
