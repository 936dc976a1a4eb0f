#include "build/meshes/mesh_file.h"
#include "tests/fuzz/fuzz.h"

// A mesh file; what is read is looked at as a closed surface would be.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ls;
  fuzz::read_or_refuse([&] {
    const Mesh mesh = read_obj(fuzz::text_of(data, size), "mesh.obj");
    check_mesh(mesh, false);
    check_mesh(mesh, true);
  });
  return 0;
}
