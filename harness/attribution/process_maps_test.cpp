// At stake: one bias. A module that is placed 4 KB off gives every function in it another's name.
#include "harness/attribution/process_maps.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <random>

#include "harness/attribution/naming.h"

namespace tare::attribution {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

std::string own_maps() {
    std::ifstream maps("/proc/self/maps");
    return {std::istreambuf_iterator<char>(maps), {}};
}

[[gnu::noinline]] int some_function_of_this_test(int x) {
    asm volatile("" : "+r"(x));
    return x + 1;
}

TEST(ProcessMaps, PlacesTheFilesOfThisProcessSoThatItsFunctionsHaveTheirNames) {
    ProcessMaps maps;
    const std::vector<core::CodeModule> modules = maps.modules(own_maps());
    Naming naming(modules, {});
    EXPECT_EQ(some_function_of_this_test(1), 2);
    const auto address = reinterpret_cast<std::uint64_t>(&some_function_of_this_test);
    EXPECT_THAT(naming.function_at(address).name, testing::HasSubstr("some_function_of_this_test"));
    EXPECT_EQ(naming.function_at(address).start, address);
    EXPECT_THAT(modules, Contains(AllOf(Field(&core::CodeModule::path, testing::HasSubstr("libc.so.6")),
                                        Field(&core::CodeModule::build_id, testing::SizeIs(40)))));
    EXPECT_THAT(modules, Contains(Field(&core::CodeModule::path, "[vdso]")));
}

TEST(ProcessMaps, KeepsOnlyWhatIsExecutable) {
    ProcessMaps maps;
    const std::vector<core::CodeModule> modules = maps.modules(
        "7f0000000000-7f0000001000 r--p 00000000 fe:00 1 /gone/lib.so\n"
        "7f0000001000-7f0000003000 r-xp 00001000 fe:00 1 /gone/lib with blanks.so (deleted)\n"
        "7f0000005000-7f0000006000 rwxp 00000000 00:00 0 \n"
        "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n");
    ASSERT_THAT(modules, testing::SizeIs(2));
    EXPECT_EQ(modules[0].path, "/gone/lib with blanks.so (deleted)");
    EXPECT_EQ(modules[0].bias, 0x7f0000000000u);
    EXPECT_EQ(modules[1].path, "") << "code compiled at run time";
}

TEST(ProcessMaps, WithstandsDamage) {
    const std::string whole = own_maps();
    std::mt19937 random(7);
    for (int i = 0; i < 300; ++i) {
        std::string damaged = whole.substr(random() % whole.size(), random() % 400);
        for (int k = 0; k < 5 && !damaged.empty(); ++k)
            damaged[random() % damaged.size()] = static_cast<char>(random());
        ProcessMaps maps;
        for (const core::CodeModule& module : maps.modules(damaged)) EXPECT_LT(module.start, module.end);
    }
    ProcessMaps maps;
    EXPECT_THAT(maps.modules(""), IsEmpty());
    EXPECT_THAT(maps.modules("7f-\n-\n\n zz r-xp\n"), IsEmpty());
}

}  // namespace
}  // namespace tare::attribution
