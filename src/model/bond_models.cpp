#include "model/bond_models.h"

#include "physics/kernels.h"

namespace ls {

namespace {
template <class... K>
std::vector<std::string> names(KernelList<K...>) {
  return {K::name...};
}
}  // namespace

std::vector<std::string> bond_models() {
  return names(BondKernels{});
}

}  // namespace ls
