// At stake: 100 % of a compiled program's time is `[compiled]+0x7f...` without these names; and a list that is changed
// while it is read, or damaged, must neither end `bench` nor its memory.
#include "harness/attribution/jit_list.h"

#include <elf.h>
#include <gmock/gmock.h>

#include <cstring>
#include <map>

namespace tare::attribution {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint64_t kDescriptor = 0x1000;

/// Another process's memory, made of pieces.
class Memory {
  public:
    void put_words(std::uint64_t address, const std::vector<std::uint64_t>& words) {
        std::string bytes(words.size() * 8, '\0');
        std::memcpy(bytes.data(), words.data(), bytes.size());
        put(address, bytes);
    }
    void put(std::uint64_t address, const std::string& bytes) { pieces_[address] = bytes; }
    void remove(std::uint64_t address) { pieces_.erase(address); }
    /// Version 1, registering; `relevant` and `first` are entries.
    void head(std::uint64_t first, std::uint64_t relevant) {
        put_words(kDescriptor, {1 + (1ULL << 32), relevant, first});
    }
    void entry(std::uint64_t address, std::uint64_t next, const std::string& file) {
        put_words(address, {next, 0, address + 0x100, file.size()});
        put(address + 0x100, file);
    }
    [[nodiscard]] ReadMemory reader() {
        return [this](std::uint64_t address, void* to, std::size_t bytes) {
            ++reads;
            const auto piece = pieces_.find(address);
            if (piece == pieces_.end() || piece->second.size() < bytes) return false;
            std::memcpy(to, piece->second.data(), bytes);
            return true;
        };
    }
    int reads = 0;

  private:
    std::map<std::uint64_t, std::string> pieces_;
};

TEST(JitList, tells_each_object_once_as_it_is_registered) {
    Memory memory;
    JitList list(kDescriptor);
    memory.head(0, 0);
    EXPECT_THAT(list.fresh(memory.reader()), IsEmpty());
    memory.entry(0x2000, 0, "first");
    memory.head(0x2000, 0x2000);
    EXPECT_THAT(list.fresh(memory.reader()), ElementsAre("first"));
    memory.entry(0x3000, 0x2000, std::string("sec\0nd", 6));
    memory.head(0x3000, 0x3000);
    EXPECT_THAT(list.fresh(memory.reader()), ElementsAre(std::string("sec\0nd", 6)));
}

/// An object of one section, whose four bytes are loaded at `address`.
std::string object_loaded_at(std::uint64_t address, std::uint64_t offset = sizeof(Elf64_Ehdr) + sizeof(Elf64_Shdr)) {
    Elf64_Ehdr header{};
    header.e_shoff = sizeof header;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = 1;
    Elf64_Shdr section{};
    section.sh_type = SHT_PROGBITS;
    section.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    section.sh_addr = address;
    section.sh_offset = offset;
    section.sh_size = 4;
    std::string object(sizeof header + sizeof section, '\0');
    std::memcpy(object.data(), &header, sizeof header);
    std::memcpy(object.data() + sizeof header, &section, sizeof section);
    return object + "bare";
}

TEST(JitList, tells_sections_as_they_lie_in_memory) {
    Memory memory;
    JitList list(kDescriptor);
    memory.entry(0x2000, 0, object_loaded_at(0x9000));
    memory.put(0x9000, "done");
    memory.head(0x2000, 0x2000);
    EXPECT_THAT(list.fresh(memory.reader()), ElementsAre(EndsWith("done"))) << "relocated";
    memory.entry(0x3000, 0x2000, object_loaded_at(0x9100));
    memory.head(0x3000, 0x3000);
    EXPECT_THAT(list.fresh(memory.reader()), ElementsAre(EndsWith("bare"))) << "not to be read";
    memory.entry(0x4000, 0x3000, object_loaded_at(0x9000, ~std::uint64_t{0}));
    memory.head(0x4000, 0x4000);
    EXPECT_THAT(list.fresh(memory.reader()), ElementsAre(EndsWith("bare"))) << "beyond the object's end";
}

TEST(JitList, costs_one_read_where_nothing_has_changed) {
    Memory memory;
    JitList list(kDescriptor);
    memory.entry(0x2000, 0, "first");
    memory.head(0x2000, 0x2000);
    EXPECT_THAT(list.fresh(memory.reader()), SizeIs(1));
    memory.reads = 0;
    EXPECT_THAT(list.fresh(memory.reader()), IsEmpty());
    EXPECT_EQ(memory.reads, 1);
}

TEST(JitList, finds_what_is_added_behind_the_first) {
    Memory memory;
    JitList list(kDescriptor);
    memory.entry(0x2000, 0, "first");
    memory.head(0x2000, 0x2000);
    EXPECT_THAT(list.fresh(memory.reader()), SizeIs(1));
    memory.entry(0x2000, 0x3000, "first");
    memory.entry(0x3000, 0, "behind");
    memory.head(0x2000, 0x3000);
    EXPECT_THAT(list.fresh(memory.reader()), ElementsAre("behind"));
}

TEST(JitList, looks_again_where_an_entry_went_away_under_it) {
    Memory memory;
    JitList list(kDescriptor);
    memory.entry(0x2000, 0x3000, "first");
    memory.head(0x2000, 0x2000);
    EXPECT_THAT(list.fresh(memory.reader()), ElementsAre("first"));
    memory.entry(0x3000, 0, "late");
    EXPECT_THAT(list.fresh(memory.reader()), ElementsAre("late"));
}

TEST(JitList, that_is_damaged_is_bounded) {
    Memory memory;
    JitList ring(kDescriptor);
    memory.entry(0x2000, 0x2000, "again");
    memory.head(0x2000, 0x2000);
    EXPECT_THAT(ring.fresh(memory.reader()), ElementsAre("again"));
    EXPECT_LE(memory.reads, 4096 + 2);

    JitList huge(kDescriptor);
    memory.put_words(0x2000, {0, 0, 0x2100, ~std::uint64_t{0}});
    EXPECT_THAT(huge.fresh(memory.reader()), IsEmpty());

    JitList other(kDescriptor);
    memory.put_words(kDescriptor, {2, 0x2000, 0x2000});
    EXPECT_THAT(other.fresh(memory.reader()), IsEmpty()) << "version 2";
    memory.remove(kDescriptor);
    EXPECT_THAT(other.fresh(memory.reader()), IsEmpty());
}

}  // namespace
}  // namespace tare::attribution
