#include "language/expression.h"
#include "tests/fuzz/fuzz.h"

// A value with a unit, as "25 mm" or "1.5e3 kg m^2/s^2": no names are known.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ls;
  if (size > 1024) return 0;
  fuzz::read_or_refuse([&] {
    const Expression e = Expression::parse(fuzz::text_of(data, size), NameScope(), {"scene.toml", 1, 1, "key"});
    if (!e.is_constant()) return;
    const Quantity q = e.quantity();
    (void)describe(q);
    (void)q.dimension.symbol();
    (void)q.dimension.example();
    (void)q.dimension.pow(0.5);
    (void)e.expect(dim::length, {"scene.toml", 1, 1, "key"});
  });
  return 0;
}
