// At stake: the caller of OpenBLAS's kernels. Of 79 samples in its kernel for dgemm under a small product with the
// transpose a scan alone found the true caller in 11: the others ended at what an earlier printf had left.
#include "harness/attribution/code_rules.h"

#include <gmock/gmock.h>

#include <optional>
#include <random>
#include <string>

namespace tare::attribution {
namespace {

using Kind = RegisterRule::Kind;

constexpr std::uint64_t kStart = 0x1000;
constexpr std::size_t kRbx = 3;
constexpr std::size_t kRbp = 6;
constexpr std::size_t kRsp = core::kStackPointer;

class Code {
  public:
    Code& add(std::initializer_list<int> instruction) {
        last_ = kStart + bytes_.size();
        for (const int byte : instruction) bytes_ += static_cast<char>(byte);
        return *this;
    }
    /// Before the last instruction that was added.
    [[nodiscard]] std::optional<FrameRule> rule() const {
        const auto rules = rules_of_code(bytes_, kStart);
        const auto found = rules.find(last_);
        return found == rules.end() ? std::nullopt : std::optional(found->second);
    }

  private:
    std::string bytes_;
    std::uint64_t last_ = kStart;
};

// AT&T syntax in the names.
constexpr std::initializer_list<int> kNop = {0x90};
constexpr std::initializer_list<int> kPushRbp = {0x55};
constexpr std::initializer_list<int> kPushRbx = {0x53};
constexpr std::initializer_list<int> kMovRspRbp = {0x48, 0x89, 0xe5};
constexpr std::initializer_list<int> kMovRspRbx = {0x48, 0x89, 0xe3};
constexpr std::initializer_list<int> kSub64Rsp = {0x48, 0x83, 0xec, 0x40};
constexpr std::initializer_list<int> kAlignRsp = {0x48, 0x83, 0xe4, 0xc0};
constexpr std::initializer_list<int> kClearEbx = {0x31, 0xdb};
constexpr std::initializer_list<int> kLeave = {0xc9};
constexpr std::initializer_list<int> kRet = {0xc3};

void expect_frame(const std::optional<FrameRule>& rule, std::size_t base, std::int64_t offset) {
    ASSERT_TRUE(rule);
    EXPECT_EQ(rule->cfa_register, static_cast<std::int32_t>(base));
    EXPECT_EQ(rule->cfa_offset, offset);
    EXPECT_EQ(rule->registers[core::kInstructionPointer], (RegisterRule{Kind::kSavedAt, -8}));
}

TEST(CodeRules, BeginAtTheReturnAddress) {
    expect_frame(Code().add(kNop).rule(), kRsp, 8);
}

TEST(CodeRules, FollowTheStackPointerAndWhatWasPushed) {
    const auto rule = Code().add(kPushRbx).add(kSub64Rsp).add(kClearEbx).add(kNop).rule();
    expect_frame(rule, kRsp, 80);
    EXPECT_EQ(rule->registers[kRbx], (RegisterRule{Kind::kSavedAt, -16}));
    EXPECT_EQ(rule->registers[kRbp], (RegisterRule{Kind::kSame, 0}));
}

TEST(CodeRules, FollowRegistersThatAreSavedByMov) {
    Code code;
    code.add(kSub64Rsp).add({0x48, 0x89, 0x1c, 0x24}).add(kMovRspRbx).add(kAlignRsp).add(kNop);  // mov %rbx,(%rsp)
    expect_frame(code.rule(), kRbx, 72);
    EXPECT_EQ(code.rule()->registers[kRbx], (RegisterRule{Kind::kSavedAt, -72}));
    code.add({0x48, 0x89, 0xdc}).add({0x48, 0x8b, 0x1c, 0x24}).add(kNop);  // mov %rbx,%rsp; mov (%rsp),%rbx
    expect_frame(code.rule(), kRsp, 72);
    EXPECT_EQ(code.rule()->registers[kRbx], (RegisterRule{Kind::kSame, 0}));
}

TEST(CodeRules, FollowACopyOfTheStackPointerThroughAnAlignment) {
    Code code;
    code.add(kPushRbp).add(kMovRspRbp).add(kSub64Rsp).add(kAlignRsp).add(kNop);
    expect_frame(code.rule(), kRbp, 16);
    EXPECT_EQ(code.rule()->registers[kRbp], (RegisterRule{Kind::kSavedAt, -16}));
    code.add(kLeave).add(kRet);
    expect_frame(code.rule(), kRsp, 8);
    EXPECT_EQ(code.rule()->registers[kRbp], (RegisterRule{Kind::kSame, 0}));
}

TEST(CodeRules, SayNothingWhereTwoPathsDisagree) {
    // test %edi,%edi; je over the push
    EXPECT_EQ(Code().add({0x85, 0xff}).add({0x74, 0x01}).add(kPushRbx).add(kNop).rule(), std::nullopt);
    expect_frame(Code().add({0x85, 0xff}).add({0x74, 0x01}).add(kNop).add(kNop).rule(), kRsp, 8);
}

TEST(CodeRules, ForgetACopyThatALoopOverwrites) {
    // mov %rsp,%rbx; and $-64,%rsp; then nop; nop; xor %ebx,%ebx; jmp to the first nop
    std::string code = "\x48\x89\xe3\x48\x83\xe4\xc0\x90\x90\x31\xdb\xeb\xfa";
    for (const std::uint64_t inside : {7U, 8U}) EXPECT_FALSE(rules_of_code(code, kStart).contains(kStart + inside));
    code[9] = '\x90';
    code[10] = '\x90';
    for (const std::uint64_t inside : {7U, 8U}) EXPECT_TRUE(rules_of_code(code, kStart).contains(kStart + inside));
}

TEST(CodeRules, ForgetASavedRegisterThatIsOverwritten) {
    Code code;
    code.add(kPushRbx).add(kClearEbx).add({0xc7, 0x44, 0x24, 0x04, 0, 0, 0, 0}).add(kNop);  // movl $0,4(%rsp)
    ASSERT_TRUE(code.rule());
    EXPECT_EQ(code.rule()->registers[kRbx].kind, Kind::kUnknown);
}

TEST(CodeRules, ForgetWhatACalledFunctionNeedNotKeep) {
    // mov %rsp,%rax; and $-64,%rsp; call: RAX is gone
    EXPECT_EQ(Code().add({0x48, 0x89, 0xe0}).add(kAlignRsp).add({0xe8, 0, 0, 0, 0}).add(kNop).rule(), std::nullopt);
    expect_frame(Code().add(kMovRspRbx).add(kAlignRsp).add({0xe8, 0, 0, 0, 0}).add(kNop).rule(), kRbx, 8);
}

TEST(CodeRules, EndWhereTheBytesAreNoCode) {
    EXPECT_EQ(Code().add({0x06}).add(kNop).rule(), std::nullopt);
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
        std::string bytes(random() % 200, '\0');
        for (char& byte : bytes) byte = static_cast<char>(random());
        EXPECT_LE(rules_of_code(bytes, kStart).size(), bytes.size());
    }
}

}  // namespace
}  // namespace tare::attribution
