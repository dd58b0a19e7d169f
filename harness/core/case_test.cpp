// At stake: the name of a case is its identity in filters, records and comparisons over years.
#include "harness/core/case.h"

#include <gmock/gmock.h>

namespace tare::core {
namespace {

TEST(Case, IsNamedByOperationAndParametersInTheirOrder) {
    const Case c{.operation = "add",
                 .parameters = {{"kind", "array"}, {"dtype", "f8"}, {"n", "8"}},
                 .statement = "x + y",
                 .rungs = {}};
    EXPECT_EQ(c.name(), "add[kind=array,dtype=f8,n=8]");
    EXPECT_EQ(c.parameter("n"), "8");
    EXPECT_EQ(c.parameter("m"), "");
}

TEST(Case, WithoutParametersIsNamedByItsOperation) {
    const Case c{.operation = "errstate", .parameters = {}, .statement = "f()", .rungs = {}};
    EXPECT_EQ(c.name(), "errstate");
}

TEST(CatalogueProblem, NamesItsFileOnce) {
    const auto text_of = [](const char* error) { return Catalogue::Problem{"/own/a.py", error}.text(); };
    EXPECT_EQ(text_of("holds no case"), "/own/a.py: holds no case");
    EXPECT_EQ(text_of("/own/a.py:3: NameError: x"), "/own/a.py:3: NameError: x");
    EXPECT_EQ(text_of("/own/a.pyx: what is this?"), "/own/a.py: /own/a.pyx: what is this?");
}

TEST(RungKind, IsFoundByTheNameThatRecordsUse) {
    for (const RungKind kind : kAllRungs) EXPECT_EQ(rung_named(name_of(kind)), kind);
    EXPECT_EQ(rung_named("gross"), std::nullopt);
}

}  // namespace
}  // namespace tare::core
