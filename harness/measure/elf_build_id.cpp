// ELF headers and notes, each length checked against what the file holds before it is used.
#include "harness/measure/elf_build_id.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "harness/measure/descriptor.h"

namespace tare::measure {

using core::ErrorCode;
using core::Expected;
using core::fail;

namespace {

constexpr std::size_t kMaxNoteBytes = 1u << 20;  // real ones are under 1 kB; beyond: damage

bool read_at(int fd, std::uint64_t offset, void* into, std::size_t size) {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t n = ::pread(fd, static_cast<char*>(into) + done, size - done, static_cast<off_t>(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += static_cast<std::size_t>(n);
    }
    return true;
}

std::string hexadecimal(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return text;
}

}  // namespace

Expected<std::string> build_id_in_notes(std::string_view notes, std::size_t alignment) {
    const std::size_t unit = alignment == 8 ? 8 : 4;  // gABI: 4 unless the segment says 8
    const auto padded = [unit](std::size_t size) { return (size + unit - 1) / unit * unit; };
    constexpr std::string_view kOwner("GNU\0", 4);
    while (notes.size() >= sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr header;
        std::memcpy(&header, notes.data(), sizeof header);
        notes.remove_prefix(sizeof header);
        // The name follows the 12-byte header directly; both ends are padded counted from the start of the note.
        const std::size_t name_end = padded(sizeof header + header.n_namesz) - sizeof header;
        if (name_end > notes.size() || header.n_descsz > notes.size() - name_end)
            return fail(ErrorCode::kData, fmt::format("a note of {} + {} bytes exceeds the {} that are left",
                                                      header.n_namesz, header.n_descsz, notes.size()));
        if (header.n_type == NT_GNU_BUILD_ID && notes.substr(0, header.n_namesz) == kOwner)
            return hexadecimal(notes.substr(name_end, header.n_descsz));
        notes.remove_prefix(std::min(notes.size(), name_end + padded(header.n_descsz)));
    }
    return std::string();
}

Expected<std::string> file_build_id(const std::filesystem::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.is_open())
        return fail(ErrorCode::kEnvironment, fmt::format("cannot open '{}': {}", path.native(), std::strerror(errno)));
    const auto damaged = [&](std::string_view why) {
        return fail(ErrorCode::kData, fmt::format("cannot read the build-id of '{}': {}", path.native(), why));
    };
    Elf64_Ehdr header;
    if (!read_at(file.get(), 0, &header, sizeof header)) return damaged("shorter than an ELF header");
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return damaged("no ELF file");
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return damaged("not 64-bit little-endian");
    if (header.e_phnum == 0) return std::string();
    if (header.e_phentsize != sizeof(Elf64_Phdr)) return damaged("program headers of an unknown size");
    std::vector<Elf64_Phdr> segments(header.e_phnum);
    if (!read_at(file.get(), header.e_phoff, segments.data(), segments.size() * sizeof(Elf64_Phdr)))
        return damaged("the program headers lie beyond the end");
    for (const Elf64_Phdr& segment : segments) {
        if (segment.p_type != PT_NOTE) continue;
        if (segment.p_filesz > kMaxNoteBytes)
            return damaged(fmt::format("a note segment claims {} bytes", segment.p_filesz));
        std::string notes(segment.p_filesz, '\0');
        if (!read_at(file.get(), segment.p_offset, notes.data(), notes.size()))
            return damaged("a note segment lies beyond the end");
        Expected<std::string> id = build_id_in_notes(notes, segment.p_align);
        if (!id) return damaged(id.error().what);
        if (!id->empty()) return id;
    }
    return std::string();
}

}  // namespace tare::measure
