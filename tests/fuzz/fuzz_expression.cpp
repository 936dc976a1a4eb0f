#include "language/test_expressions.h"
#include "tests/fuzz/fuzz.h"

// An expression in a scope with variables: parsed, evaluated, and asked for its dimension.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ls;
  static const NameScope scope = expression_samples::scene_scope();
  if (size > 4096) return 0;
  fuzz::read_or_refuse([&] {
    const Expression e = Expression::parse(fuzz::text_of(data, size), scope, expression_samples::place);
    (void)e(expression_samples::at);
    (void)e.dimension().name();
    (void)e.expect(dim::length, expression_samples::place);
  });
  return 0;
}
