#include "terms/contact/contact_report.h"

#include "terms/contact/test_contact.h"
#include "terms/make_terms.h"

#include <gtest/gtest.h>

namespace ls::contact_report_test {

// Pushes node 0 up and node 1 down by as much.
class FakeContact final : public Contact {
 public:
  FakeContact(double gap, int contacts) : gap_(gap), contacts_(contacts) {}
  std::string_view name() const override { return "fake"; }
  Scope scope(const Inputs&) const override { return Scope::all; }
  void add_wrenches(const State&, const Inputs&, const Blocks&, Wrenches&) override {}
  std::size_t bytes() const override { return 0; }
  void report(const State&, const Inputs&, ContactReport& r) override {
    r.contacts += contacts_;
    r.min_gap = std::min(r.min_gap, gap_);
    r.force[0] += Vec3<double>{0, 0, 1.0 * contacts_};
    r.force[1] += Vec3<double>{0, 0, -1.0 * contacts_};
  }

 private:
  double gap_;
  int contacts_;
};

struct TwoNodes {
  Model model;
  Terms terms;
  State state{Nodes(2), {}, {}, {}};

  TwoNodes() {
    model.nodes = 2;
    terms.barrier = added(1e-3, 2);
    terms.hertz_mindlin = added(-1e-3, 1);
  }
  Contact* added(double gap, int contacts) {
    auto contact = std::make_unique<FakeContact>(gap, contacts);
    Contact* const kept = contact.get();
    terms.all.push_back(std::move(contact));
    return kept;
  }
};

TEST(ContactReport, AsksTheTermsOfTheLawThatActs) {
  const TwoNodes two;
  Inputs in;
  in.contact = ContactLaw::barrier;
  const ContactReport r = contact_report(two.model, two.terms, two.state, in);
  EXPECT_EQ(two.terms.contact(in), two.terms.barrier);
  EXPECT_EQ(r.contacts, 2);
  EXPECT_EQ(r.min_gap, 1e-3);
  ASSERT_EQ(r.force.size(), 2U);
  EXPECT_EQ(r.force[0].z, 2);
  EXPECT_EQ(r.force[1].z, -2);
  in.contact = ContactLaw::hertz_mindlin;
  EXPECT_EQ(two.terms.contact(in), two.terms.hertz_mindlin);
  EXPECT_EQ(contact_report(two.model, two.terms, two.state, in).min_gap, -1e-3);
}

TEST(ContactReport, SaysNothingWhereContactIsOff) {
  const TwoNodes two;
  const ContactReport r = contact_report(two.model, two.terms, two.state, Inputs{});
  EXPECT_EQ(two.terms.contact(Inputs{}), nullptr);
  EXPECT_EQ(r.contacts, 0);
  EXPECT_EQ(r.min_gap, std::numeric_limits<double>::infinity());
  EXPECT_EQ(r.force[0].z, 0);
}

// Where nothing touches there is no law to ask, whatever the inputs say.
TEST(ContactReport, SaysNothingWhereNothingTouches) {
  Model m;
  m.nodes = 2;
  const Terms terms = make_terms(m);
  for (const ContactLaw law : {ContactLaw::barrier, ContactLaw::hertz_mindlin}) {
    Inputs in;
    in.contact = law;
    EXPECT_EQ(terms.contact(in), nullptr);
    EXPECT_EQ(contact_report(m, terms, State{Nodes(2), {}, {}, {}}, in).contacts, 0);
  }
}

// What is reported is a function of the state: a run that was resumed, whose lists are new, must write what the other
// one does.
TEST(ContactReport, DoesNotDependOnWhatWasNearBefore) {
  for (const ContactLaw law : {ContactLaw::barrier, ContactLaw::hertz_mindlin}) {
    test::Touchables two;
    const double radius = 0.01;
    two.shapes.settings.thickness = 1e-3;
    two.add_ball({0, 0, 0}, {}, radius, 1, {0.1, 0.5, 1e6, 0.3});
    two.add_ball({0, 0, 0.03}, {}, radius, 1, {0.1, 0.5, 1e6, 0.3});
    two.finish();
    Inputs in = two.inputs(1e-3);
    in.contact = law;
    const Terms old = make_terms(two.model);
    for (const double gap : {-1e-4, 2e-4, 9e-4, 1.5e-3, 2.9e-3, 3.1e-3, 4e-3}) {
      if (law == ContactLaw::barrier && gap < 0) continue;
      two.state.nodes.set(1, Frame<double>{{0, 0, 2 * radius + gap}, {}});
      const Terms fresh = make_terms(two.model);
      const ContactReport a = contact_report(two.model, old, two.state, in),
                          b = contact_report(two.model, fresh, two.state, in);
      EXPECT_EQ(a.min_gap, b.min_gap) << gap;
      EXPECT_EQ(a.contacts, b.contacts) << gap;
      if (gap < 1e-3) {
        EXPECT_NEAR(a.min_gap, gap, 1e-15);
      }
      if (gap > 3e-3) {
        EXPECT_EQ(a.min_gap, std::numeric_limits<double>::infinity());
      }
    }
  }
}

}  // namespace ls::contact_report_test
