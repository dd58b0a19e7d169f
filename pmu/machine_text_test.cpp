// At stake: the facts that decide whether two records may be compared; a wrong parse would call two machines one.
#include "pmu/machine_text.h"

#include <gmock/gmock.h>

namespace tare::pmu {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kIntelGuest = R"(processor	: 0
vendor_id	: GenuineIntel
cpu family	: 6
model		: 207
model name	: Intel(R) Xeon(R) Processor
stepping	: 2
microcode	: 0x1
cpu MHz		: 2100.000
cache size	: 307200 KB
physical id	: 0
siblings	: 2
flags		: fpu vme sse2 avx512f hypervisor amx_int8
bugs		: spectre_v1 spectre_v2
bogomips	: 4200.00

processor	: 1
vendor_id	: GenuineIntel
model name	: another
cpu MHz		: 3000.000
flags		: fpu
)";

constexpr const char* kNeoverse = R"(processor	: 0
BogoMIPS	: 243.75
Features	: fp asimd evtstrm aes sve
CPU implementer	: 0x41
CPU architecture: 8
CPU variant	: 0x1
CPU part	: 0xd40
CPU revision	: 1

processor	: 1
BogoMIPS	: 243.75
Features	: fp
CPU part	: 0xd41
)";

TEST(CpuInfo, OfX86IsItsFirstCpu) {
    const CpuInfo info = parse_cpu_info(kIntelGuest);
    EXPECT_EQ(info.model, "Intel(R) Xeon(R) Processor");
    EXPECT_EQ(info.vendor, "GenuineIntel");
    EXPECT_EQ(info.family, 6);
    EXPECT_EQ(info.model_number, 207);
    EXPECT_EQ(info.stepping, 2);
    EXPECT_EQ(info.microcode, "0x1");
    EXPECT_EQ(info.mhz, 2100.0);
    EXPECT_THAT(info.flags, ElementsAre("fpu", "vme", "sse2", "avx512f", "hypervisor", "amx_int8"));
}

TEST(CpuInfo, OfArmHasCodesAndNoModelName) {
    const CpuInfo info = parse_cpu_info(kNeoverse);
    EXPECT_EQ(info.model, "");
    EXPECT_EQ(info.vendor, "0x41");
    EXPECT_EQ(info.model_number, 0xd40);
    EXPECT_EQ(info.stepping, 1);
    EXPECT_EQ(info.mhz, std::nullopt);
    EXPECT_EQ(info.microcode, "");
    EXPECT_THAT(info.flags, ElementsAre("fp", "asimd", "evtstrm", "aes", "sve"));
}

TEST(CpuInfo, OfADamagedTextSaysNothing) {
    EXPECT_EQ(parse_cpu_info(""), CpuInfo());
    const CpuInfo info = parse_cpu_info("cpu family\t: unknown\ncpu MHz\t: \nno colon");
    EXPECT_EQ(info.family, std::nullopt);
    EXPECT_EQ(info.mhz, std::nullopt);
}

TEST(CpuList, IsReadAndWrittenAsTheKernelWritesIt) {
    EXPECT_THAT(parse_cpu_list("0-3,5,8-9\n"), ElementsAre(0, 1, 2, 3, 5, 8, 9));
    EXPECT_THAT(parse_cpu_list("\n"), IsEmpty());
    EXPECT_EQ(format_cpu_list({0, 1, 2, 3, 5, 8, 9}), "0-3,5,8-9");
    EXPECT_EQ(format_cpu_list({7}), "7");
    EXPECT_EQ(format_cpu_list({}), "");
}

TEST(CpuList, ThatIsDamagedIsEmptyAndNeverHuge) {
    for (const char* text : {"0-", "a", "3-1", "0-2147483647", "-1", "1,,2", "0x1"})
        EXPECT_THAT(parse_cpu_list(text), IsEmpty()) << text;
}

TEST(Size, IsReadWithItsUnit) {
    EXPECT_EQ(parse_size_bytes("48K\n"), 49152);
    EXPECT_EQ(parse_size_bytes("307200K"), 314572800);
    EXPECT_EQ(parse_size_bytes("1M"), 1048576);
    EXPECT_EQ(parse_size_bytes("512"), 512);
    for (const char* text : {"", "K", "-1K", "12Q", "99999999999999999999K"})
        EXPECT_EQ(parse_size_bytes(text), std::nullopt) << text;
}

TEST(Choice, IsTheWordInBrackets) {
    EXPECT_EQ(parse_choice("always [madvise] never\n"), "madvise");
    EXPECT_EQ(parse_choice("always madvise"), std::nullopt);
    EXPECT_EQ(parse_choice("] ["), std::nullopt);
}

TEST(LoadAverage, IsThreeNumbersOrNone) {
    EXPECT_THAT(parse_load_average("0.08 0.06 12.03 1/90 6467\n"), ElementsAre(0.08, 0.06, 12.03));
    EXPECT_THAT(parse_load_average("0.08 x 0.03"), IsEmpty());
}

TEST(MemoryTotal, IsInBytes) {
    EXPECT_EQ(parse_memory_total_bytes("MemTotal:       24731708 kB\nMemFree: 1 kB\n"), 24731708LL * 1024);
    EXPECT_EQ(parse_memory_total_bytes("MemFree: 1 kB\n"), std::nullopt);
}

TEST(Memory, IsThatOfTheLineNamedInFull) {
    const char* text = "MemTotal: 8 kB\nMemAvailable: 4 kB\nSwapTotal: 0 kB\nHugePages_Total: 3\n";
    EXPECT_EQ(parse_memory_bytes(text, "MemAvailable"), 4096);
    EXPECT_EQ(parse_memory_bytes(text, "SwapTotal"), 0);
    EXPECT_EQ(parse_memory_bytes(text, "Mem"), std::nullopt);
    EXPECT_EQ(parse_memory_bytes(text, "HugePages_Total"), std::nullopt) << "pages, not kB";
}

TEST(KernelParameter, IsTheLastOneGivenBeforeThoseOfInit) {
    const char* text = "quiet rcu_nocbs=1 isolcpus=nohz,domain,2-3 rcu_nocbs=2-3 -- rcu_nocbs=9\n";
    EXPECT_EQ(parse_kernel_parameter(text, "rcu_nocbs"), "2-3");
    EXPECT_EQ(parse_kernel_parameter(text, "isolcpus"), "nohz,domain,2-3");
    EXPECT_EQ(parse_kernel_parameter(text, "quiet"), std::nullopt) << "it has no value";
    EXPECT_EQ(parse_kernel_parameter(text, "rcu"), std::nullopt);
}

TEST(Integer, IsWholeOrNothing) {
    EXPECT_EQ(parse_integer(" -1\n"), -1);
    EXPECT_EQ(parse_integer("2 3"), std::nullopt);
    EXPECT_EQ(parse_integer(""), std::nullopt);
}

TEST(Fingerprint, IsFixedForeverAndTellsPartsApart) {
    // FNV-1a of no byte is its offset basis, of "a" and the separator 0 as computed by hand from the definition.
    EXPECT_EQ(fingerprint_of({}), "cbf29ce484222325");
    EXPECT_EQ(fingerprint_of({"a"}), "089be207b544f1e4");
    EXPECT_NE(fingerprint_of({"ab", "c"}), fingerprint_of({"a", "bc"}));
}

}  // namespace
}  // namespace tare::pmu
