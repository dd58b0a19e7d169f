// libelf reads. ELF_C_READ, not ELF_C_READ_MMAP: a mapped file that is truncated meanwhile would end us by SIGBUS.
#include "harness/attribution/elf_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tare::attribution {

namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr std::size_t kMostBytesAt = 65536;  // that bytes_at reads: sizes come from foreign files

std::string hex(const void* bytes, std::size_t size) {
    const auto* data = static_cast<const unsigned char*>(bytes);
    return fmt::format("{:02x}", fmt::join(data, data + size, ""));
}

}  // namespace

struct ElfFile::Handle {
    int descriptor = -1;
    std::string image;  ///< of an ELF file in memory
    Elf* elf = nullptr;

    Handle() = default;
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() {
        if (elf != nullptr) elf_end(elf);
        if (descriptor >= 0) ::close(descriptor);
    }
};

ElfFile::ElfFile() : handle_(std::make_unique<Handle>()) {}
ElfFile::~ElfFile() = default;
ElfFile::ElfFile(ElfFile&&) noexcept = default;
ElfFile& ElfFile::operator=(ElfFile&&) noexcept = default;

bool ElfSection::is_executable() const {
    return (flags & SHF_ALLOC) != 0 && (flags & SHF_EXECINSTR) != 0;
}

core::Expected<ElfFile> ElfFile::open(const std::string& path) {
    ElfFile file;
    elf_version(EV_CURRENT);
    // O_NONBLOCK: a path from a process's map may be a pipe or a device.
    file.handle_->descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file.handle_->descriptor < 0)
        return core::fail(core::ErrorCode::kEnvironment, fmt::format("cannot open {}: {}", path, strerror(errno)));
    struct stat status {};
    if (::fstat(file.handle_->descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return core::fail(core::ErrorCode::kEnvironment, fmt::format("{} is no regular file", path));
    file.handle_->elf = elf_begin(file.handle_->descriptor, ELF_C_READ, nullptr);
    return read(std::move(file), path);
}

core::Expected<ElfFile> ElfFile::from_memory(std::string bytes) {
    ElfFile file;
    elf_version(EV_CURRENT);
    file.handle_->image = std::move(bytes);
    file.handle_->elf = elf_memory(file.handle_->image.data(), file.handle_->image.size());
    return read(std::move(file), "the object in memory");
}

core::Expected<ElfFile> ElfFile::read(ElfFile file, const std::string& what) {
    Elf* elf = file.handle_->elf;
    GElf_Ehdr header;
    if (elf == nullptr || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == nullptr)
        return core::fail(core::ErrorCode::kData, fmt::format("{} is no ELF file", what));
    if (header.e_machine != EM_X86_64 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB)
        return core::fail(core::ErrorCode::kData, fmt::format("{} is no ELF file of x86-64", what));
    file.is_relocatable_ = header.e_type == ET_REL;
    file.entry_ = header.e_entry;

    std::size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return core::fail(core::ErrorCode::kData, fmt::format("{}: its section table is damaged or cut off", what));
    for (Elf_Scn* scn = elf_nextscn(elf, nullptr); scn != nullptr; scn = elf_nextscn(elf, scn)) {
        GElf_Shdr shdr;
        if (gelf_getshdr(scn, &shdr) == nullptr) continue;
        const char* name = elf_strptr(elf, names, shdr.sh_name);
        file.sections_.push_back(ElfSection{elf_ndxscn(scn), name == nullptr ? "" : name, shdr.sh_type, shdr.sh_flags,
                                            shdr.sh_addr, shdr.sh_size, shdr.sh_entsize, shdr.sh_link});
    }
    if (file.sections_.empty())
        return core::fail(core::ErrorCode::kData, fmt::format("{} has no sections, or is cut off before them", what));

    std::size_t segments = 0;
    if (elf_getphdrnum(elf, &segments) != 0) segments = 0;
    for (std::size_t i = 0; i < segments; ++i) {
        GElf_Phdr segment;
        if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr) break;
        if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) == 0)
            file.constants_.push_back({segment.p_vaddr, segment.p_offset, segment.p_filesz});
    }

    // An object as a compiler has put it into memory has no segments: its sections have addresses.
    for (std::size_t i = 0; file.is_relocatable_ && i < file.sections_.size(); ++i) {
        GElf_Shdr shdr;
        if (gelf_getshdr(elf_getscn(elf, file.sections_[i].index), &shdr) == nullptr || shdr.sh_addr == 0) continue;
        if (shdr.sh_type != SHT_NOBITS && (shdr.sh_flags & SHF_ALLOC) != 0 && (shdr.sh_flags & SHF_WRITE) == 0)
            file.constants_.push_back({shdr.sh_addr, shdr.sh_offset, shdr.sh_size});
    }

    const void* id = nullptr;
    const auto id_bytes = dwelf_elf_gnu_build_id(elf, &id);
    if (id_bytes > 0) file.build_id_ = hex(id, static_cast<std::size_t>(id_bytes));
    return file;
}

const ElfSection* ElfFile::section(std::string_view name) const {
    const auto found =
        std::find_if(sections_.begin(), sections_.end(), [&](const ElfSection& s) { return s.name == name; });
    return found == sections_.end() ? nullptr : &*found;
}

const ElfSection* ElfFile::code_at(std::uint64_t address) const {
    const auto found = std::find_if(sections_.begin(), sections_.end(),
                                    [&](const ElfSection& s) { return s.is_executable() && s.contains(address); });
    return found == sections_.end() ? nullptr : &*found;
}

std::string_view ElfFile::bytes(const ElfSection& section) const {
    if (section.type == SHT_NOBITS || (section.flags & SHF_COMPRESSED) != 0) return {};
    Elf_Scn* scn = elf_getscn(handle_->elf, section.index);
    const Elf_Data* data = scn == nullptr ? nullptr : elf_rawdata(scn, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return {};
    return {static_cast<const char*>(data->d_buf), data->d_size};
}

std::string ElfFile::bytes_at(std::uint64_t address, std::size_t size) const {
    const auto segment = std::find_if(constants_.begin(), constants_.end(),
                                      [&](const Constant& c) { return address - c.address < c.size; });
    if (segment == constants_.end()) return {};
    const std::uint64_t inside = address - segment->address;
    size = std::min({size, kMostBytesAt, static_cast<std::size_t>(segment->size - inside)});
    const std::uint64_t offset = segment->offset + inside;
    if (handle_->descriptor < 0)
        return offset < handle_->image.size() ? handle_->image.substr(offset, size) : std::string();
    std::string bytes(size, '\0');
    const ssize_t got = ::pread(handle_->descriptor, bytes.data(), size, static_cast<off_t>(offset));
    bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return bytes;
}

::Elf* ElfFile::elf() const {
    return handle_->elf;
}

bool ElfFile::maps_as_code(std::uint64_t start, std::uint64_t end) const {
    std::size_t count = 0;
    if (elf_getphdrnum(handle_->elf, &count) != 0) return false;
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr segment;
        if (gelf_getphdr(handle_->elf, static_cast<int>(i), &segment) == nullptr) break;
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
        const std::uint64_t first = segment.p_vaddr / kPageBytes * kPageBytes;
        const std::uint64_t past = (segment.p_vaddr + segment.p_memsz + kPageBytes - 1) / kPageBytes * kPageBytes;
        if (start >= first && end <= past && start < end) return true;
    }
    return false;
}

std::optional<std::uint64_t> ElfFile::offset_of(std::uint64_t address) const {
    std::size_t count = 0;
    if (elf_getphdrnum(handle_->elf, &count) != 0) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr segment;
        if (gelf_getphdr(handle_->elf, static_cast<int>(i), &segment) == nullptr) break;
        const std::uint64_t first =
            segment.p_vaddr / kPageBytes * kPageBytes;  // what precedes it in its page is loaded
        if (segment.p_type != PT_LOAD || address < first || address >= segment.p_vaddr + segment.p_filesz) continue;
        return segment.p_offset / kPageBytes * kPageBytes + (address - first);
    }
    return std::nullopt;
}

}  // namespace tare::attribution
