// At stake: 3,770 addresses that cross a channel. A trace comes from a process that runs foreign code: whatever it
// sends, `bench` must not read past its own memory.
#include "harness/core/trace.h"

#include <gmock/gmock.h>

#include <random>

#include "harness/core/codec.h"

namespace tare::core {
namespace {

using testing::HasSubstr;

Trace sample() {
    Trace trace;
    trace.steps = {{0x555500001000, 0x7fffffffe000, 24, 1}, {0xffffffffff600000, 0x7fffffffdff8, ~0ULL, 0}};
    trace.repeats = {{1, 31}};
    trace.system_calls = {{0, 14}};
    trace.code = {{0x555500001000, 3, {0x48, 0x89, 0xe5}}};
    trace.modules = {{"/usr/lib/libm.so.6", "ab12", 0x7ffff7000000, 0x7ffff7010000, 0x7ffff7020000}, {"", "", 0, 1, 2}};
    trace.python = {{0x555500009000, 1, 0, 12}};
    trace.python_codes = {{"/site/shapes.py", "area", 8}};
    trace.python_problem = "not all";
    trace.python_names = {{0x555500001000, "add[dd->d]"}};
    trace.randomized_addresses = true;
    trace.wall_ns = 12.5;
    trace.refusal = Refusal::kRaised;
    trace.refusal_detail = "ValueError: x";
    return trace;
}

TEST(Trace, CrossesTheChannelUnchanged) {
    const Expected<Value> received = decode(encode(to_value(sample())));
    ASSERT_TRUE(received);
    const Expected<Trace> trace = trace_from(*received);
    ASSERT_TRUE(trace) << trace.error().what;
    EXPECT_EQ(*trace, sample());
}

void expect_damaged(const char* member, Value value, const char* reason) {
    Map map = to_value(sample()).as_map();
    map.insert_or_assign(member, std::move(value));
    const Expected<Trace> trace = trace_from(map);
    ASSERT_FALSE(trace) << member;
    EXPECT_EQ(trace.error().code, ErrorCode::kData);
    EXPECT_THAT(trace.error().what, HasSubstr(reason));
}

TEST(Trace, ThatIsDamagedSaysWhere) {
    EXPECT_FALSE(trace_from(Value("steps")));
    expect_damaged("steps", std::string(33, 'x'), "steps are cut off");
    expect_damaged("repeats", std::string(8, '\xff'), "an index points past its steps");
    expect_damaged("system_calls", List{List{2, 14}}, "an index points past its steps");
    expect_damaged("system_calls", List{List{1}}, "a system call is not");
    expect_damaged("code", std::string(24, '\xff'), "longer than 15 bytes");
    expect_damaged("modules", List{List{"path"}}, "a module is not");
    expect_damaged("python", std::string(25, 'x'), "Python's frames are cut off");
    expect_damaged("python", std::string(24, '\xff'), "a frame of Python runs no function");
    expect_damaged("python_codes", List{List{"a.py", "f"}}, "a Python function is not [file, name, line]");
    expect_damaged("python_names", List{7}, "a Python name is not");
    expect_damaged("refusal", 99, "no refusal has the number 99");
}

TEST(Trace, SurvivesAnyBytes) {
    const std::string valid = encode(to_value(sample()));
    std::mt19937 random(7);
    int refused = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string bytes = valid;
        for (unsigned k = 0; k < 1 + random() % 4; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
        if (random() % 4 == 0) bytes.resize(random() % bytes.size());
        const Expected<Value> value = decode(bytes);
        if (!value) continue;
        const Expected<Trace> trace = trace_from(*value);
        if (!trace) {
            ++refused;
            continue;
        }
        for (const Repeat& repeat : trace->repeats) ASSERT_LT(repeat.step, trace->steps.size());
    }
    EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace tare::core
