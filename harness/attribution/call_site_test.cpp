// At stake: words of a stack that happen to lie in code are no callers. Of 28 KB that a kernel skips, old return
// addresses are the rule.
#include "harness/attribution/call_site.h"

#include <gmock/gmock.h>

#include <string>

namespace tare::attribution {
namespace {

CallSite before(std::initializer_list<int> bytes) {
    std::string text;
    for (const int byte : bytes) text += static_cast<char>(byte);
    return call_before(text, 0x401000);
}

TEST(CallSite, KnowsTheTargetOfADirectCall) {
    EXPECT_EQ(before({0x90, 0x90, 0x90, 0xe8, 0x10, 0x00, 0x00, 0x00}), (CallSite{CallSite::Kind::kDirect, 0x401010}));
    EXPECT_EQ(before({0x67, 0xe8, 0xf0, 0xff, 0xff, 0xff}), (CallSite{CallSite::Kind::kDirect, 0x400ff0}));
}

TEST(CallSite, KnowsEveryFormOfAnIndirectCall) {
    const CallSite indirect{CallSite::Kind::kIndirect, 0};
    EXPECT_EQ(before({0x90, 0xff, 0xd0}), indirect) << "call *%rax";
    EXPECT_EQ(before({0x41, 0xff, 0xd3}), indirect) << "call *%r11";
    EXPECT_EQ(before({0x90, 0xff, 0x10}), indirect) << "call *(%rax)";
    EXPECT_EQ(before({0xff, 0x50, 0x18}), indirect) << "call *0x18(%rax)";
    EXPECT_EQ(before({0xff, 0x90, 0xa0, 0x02, 0x00, 0x00}), indirect) << "call *0x2a0(%rax)";
    EXPECT_EQ(before({0xff, 0x15, 0x00, 0x10, 0x00, 0x00}), indirect) << "call *0x1000(%rip)";
    EXPECT_EQ(before({0xff, 0x14, 0xc3}), indirect) << "call *(%rbx,%rax,8)";
    EXPECT_EQ(before({0xff, 0x54, 0xc3, 0x08}), indirect) << "call *0x8(%rbx,%rax,8)";
    EXPECT_EQ(before({0x41, 0xff, 0x94, 0xc4, 0x00, 0x01, 0x00, 0x00}), indirect) << "call *0x100(%r12,%rax,8)";
    EXPECT_EQ(before({0xff, 0x14, 0xc5, 0x00, 0x01, 0x00, 0x00}), indirect) << "call *0x100(,%rax,8)";
}

TEST(CallSite, TakesNoOtherInstructionForACall) {
    EXPECT_EQ(before({0x90, 0xff, 0xe0}), CallSite{}) << "jmp *%rax";
    EXPECT_EQ(before({0x90, 0xff, 0xc0}), CallSite{}) << "inc %eax";
    EXPECT_EQ(before({0xff, 0x35, 0x00, 0x10, 0x00, 0x00}), CallSite{}) << "push 0x1000(%rip)";
    EXPECT_EQ(before({0xe9, 0x10, 0x00, 0x00, 0x00}), CallSite{}) << "jmp";
    EXPECT_EQ(before({0xc3}), CallSite{});
    EXPECT_EQ(before({}), CallSite{});
}

}  // namespace
}  // namespace tare::attribution
