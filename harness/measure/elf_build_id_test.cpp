// At stake: the 160 bits that tell two builds of one version apart; a damaged file must be an error, not another build.
#include "harness/measure/elf_build_id.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

namespace tare::measure {
namespace {

using core::ErrorCode;
using core::Expected;
using testing::HasSubstr;

std::string note(std::uint32_t type, const std::string& owner, const std::string& description) {
    const Elf64_Nhdr header{static_cast<Elf64_Word>(owner.size()), static_cast<Elf64_Word>(description.size()), type};
    std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
    bytes += owner + std::string((4 - owner.size() % 4) % 4, '\0');
    return bytes + description + std::string((4 - description.size() % 4) % 4, '\0');
}
const std::string kGnu("GNU\0", 4);

/// A whole ELF file of one note segment, written to a file of this test's own.
struct ElfFile {
    Elf64_Ehdr header{};
    Elf64_Phdr segment{};
    std::string notes = note(NT_GNU_BUILD_ID, kGnu, "\x01\xab\xff");
    std::filesystem::path path = testing::TempDir() + "tare_elf_" + std::to_string(::getpid());

    ElfFile() {
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = ELFCLASS64;
        header.e_ident[EI_DATA] = ELFDATA2LSB;
        header.e_phoff = sizeof header;
        header.e_phentsize = sizeof segment;
        header.e_phnum = 1;
        segment.p_type = PT_NOTE;
        segment.p_offset = sizeof header + sizeof segment;
        segment.p_filesz = notes.size();
        segment.p_align = 4;
    }
    ~ElfFile() { std::filesystem::remove(path); }
    ElfFile(const ElfFile&) = delete;
    ElfFile& operator=(const ElfFile&) = delete;

    Expected<std::string> build_id(std::size_t keep_bytes = std::string::npos) const {
        std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
        bytes.append(reinterpret_cast<const char*>(&segment), sizeof segment);
        bytes += notes;
        std::ofstream(path, std::ios::binary) << bytes.substr(0, keep_bytes);
        return file_build_id(path);
    }
};

TEST(BuildId, IsTheHexadecimalOfTheNotesDescription) {
    EXPECT_EQ(ElfFile().build_id(), "01abff");
}

TEST(BuildId, IsFoundBehindOtherNotesOfOddLengths) {
    ElfFile file;
    file.notes = note(1, "Linux", "12345") + note(NT_GNU_ABI_TAG, kGnu, "abcd") + file.notes;
    file.segment.p_filesz = file.notes.size();
    EXPECT_EQ(file.build_id(), "01abff");
}

TEST(BuildId, IsEmptyForAFileLinkedWithoutOne) {
    ElfFile file;
    file.notes = note(NT_GNU_ABI_TAG, kGnu, "abcd") + note(NT_GNU_BUILD_ID, std::string("Go\0\0", 4), "xyz");
    file.segment.p_filesz = file.notes.size();
    EXPECT_EQ(file.build_id(), "");
}

TEST(BuildId, OfAFileCutAnywhereIsAnError) {
    const ElfFile file;
    const std::size_t whole = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + file.notes.size();
    for (std::size_t keep = 0; keep < whole; ++keep) {
        const Expected<std::string> id = file.build_id(keep);
        ASSERT_FALSE(id) << keep << " bytes gave " << *id;
        EXPECT_EQ(id.error().code, ErrorCode::kData);
    }
}

TEST(BuildId, OfANoteLongerThanItsSegmentIsAnError) {
    for (const std::uint32_t claimed : {64u, 0x7fffffffu, 0xffffffffu}) {
        ElfFile file;
        std::memcpy(file.notes.data() + 4, &claimed, sizeof claimed);  // n_descsz
        EXPECT_FALSE(file.build_id()) << claimed;
        file.notes = note(NT_GNU_BUILD_ID, kGnu, "\x01\xab\xff");
        std::memcpy(file.notes.data(), &claimed, sizeof claimed);  // n_namesz
        EXPECT_FALSE(file.build_id()) << claimed;
    }
}

TEST(BuildId, OfASegmentThatClaimsGigabytesIsAnErrorWithoutReadingThem) {
    ElfFile file;
    file.segment.p_filesz = std::uint64_t{1} << 40;
    const Expected<std::string> id = file.build_id();
    ASSERT_FALSE(id);
    EXPECT_THAT(id.error().what, HasSubstr("claims 1099511627776 bytes"));
}

TEST(BuildId, NamesTheFileThatIsNoElf) {
    ElfFile file;
    file.header.e_ident[0] = '#';
    const Expected<std::string> id = file.build_id();
    ASSERT_FALSE(id);
    EXPECT_THAT(id.error().what, HasSubstr(file.path.native()));
    EXPECT_EQ(file_build_id("/proc/absent/file").error().code, ErrorCode::kEnvironment);
}

}  // namespace
}  // namespace tare::measure
