#include "terms/contact/contact_report.h"

#include <gtest/gtest.h>

namespace ls {
namespace {

// Pushes node 0 up and node 1 down, where the law it stands for acts.
class FakeContact final : public Term {
 public:
  FakeContact(ContactLaw law, double gap) : law_(law), gap_(gap) {}
  std::string_view name() const override { return "fake"; }
  int count() const override { return 0; }
  bool adds_to_nodes() const override { return true; }
  void add_wrenches(const State&, const Inputs&, Wrenches&, Team&) const override {}
  void add_energy(const State&, const Inputs&, std::vector<EnergyPart>&, Team&) const override {}
  void add_wrench_change(const State&, const Inputs&, const std::vector<Twist<double>>&,
                         std::vector<Wrench<double>>&) const override {}
  void add_stiffness(const State&, const Inputs&, const StiffnessRequest&, BlockMatrix&) const override {}
  std::size_t bytes() const override { return 0; }
  void report(const State&, const Inputs& in, ContactReport& r) const override {
    if (in.contact != law_) return;
    ++r.contacts;
    r.min_gap = std::min(r.min_gap, gap_);
    r.force[0] += Vec3<double>{0, 0, 1};
    r.force[1] += Vec3<double>{0, 0, -1};
  }

 private:
  ContactLaw law_;
  double gap_;
};

Model two_nodes() {
  Model m;
  m.nodes = 2;
  m.terms.push_back(std::make_unique<FakeContact>(ContactLaw::barrier, 2e-3));
  m.terms.push_back(std::make_unique<FakeContact>(ContactLaw::barrier, 1e-3));
  m.terms.push_back(std::make_unique<FakeContact>(ContactLaw::hertz_mindlin, -1e-3));
  return m;
}

TEST(ContactReport, AsksTheTermsOfTheLawThatActs) {
  const Model m = two_nodes();
  Inputs in;
  in.contact = ContactLaw::barrier;
  const ContactReport r = contact_report(m, State{Nodes(2), {}, {}, {}}, in);
  EXPECT_EQ(r.contacts, 2);
  EXPECT_EQ(r.min_gap, 1e-3);
  ASSERT_EQ(r.force.size(), 2U);
  EXPECT_EQ(r.force[0].z, 2);
  EXPECT_EQ(r.force[1].z, -2);
}

TEST(ContactReport, SaysNothingWhereContactIsOff) {
  const Model m = two_nodes();
  const ContactReport r = contact_report(m, State{Nodes(2), {}, {}, {}}, Inputs{});
  EXPECT_EQ(r.contacts, 0);
  EXPECT_EQ(r.min_gap, std::numeric_limits<double>::infinity());
  EXPECT_EQ(r.force[0].z, 0);
}

}  // namespace
}  // namespace ls
