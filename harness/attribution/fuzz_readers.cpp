// Fuzz target of the readers that are ours: .eh_frame, code, PLT entries, JIT objects, perf maps, names, tables of
// layers. The first byte of an input chooses the reader, the rest is what it reads. With clang: -fsanitize=fuzzer and
// this file alone.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/attribution/code_rules.h"
#include "harness/attribution/elf_file.h"
#include "harness/attribution/frame_entries.h"
#include "harness/attribution/jit_code.h"
#include "harness/attribution/layer_table.h"
#include "harness/attribution/naming.h"
#include "harness/attribution/plt_stubs.h"

namespace tare::attribution {
namespace {

/// What came out is looked at, so that an index or a view that leads nowhere shows.
std::size_t read_elf(std::string_view bytes) {
    const auto file = ElfFile::from_memory(std::string(bytes));
    if (!file) return file.error().what.size();
    std::size_t sum = file->build_id().size();
    if (const ElfSection* section = file->section(".eh_frame"); section != nullptr)
        for (const FrameEntry& entry : frame_entries(file->bytes(*section), section->address))
            sum += entry.end - entry.start;
    const PltRelocations relocations = plt_relocations(*file);
    for (const PltStub& stub : plt_stubs(plt_sections(*file), relocations))
        sum += stub.target != nullptr ? stub.target->symbol.size() : 1;
    return sum;
}

std::size_t read_layers(std::string_view bytes) {
    const auto table = LayerTable::parse({{"fuzz", std::string(bytes)}});
    if (!table) return table.error().what.size();
    const LayerTable::Layer caller{"allocation", false};
    return table->layer_of({"libc.so.6", "malloc"}, {"python3.11", "f"}, caller).name.size() +
           table->layer_of({"libc.so.6", ""}, {"libc.so.6", "malloc"}, caller).name.size();
}

}  // namespace
}  // namespace tare::attribution

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tare::attribution;
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    static volatile std::size_t sink = 0;  // what was read must be read
    JitCode code;
    switch (data[0] % 7) {
        case 0:
            sink = sink + read_elf(bytes);
            break;
        case 1:
            for (const FrameEntry& entry : frame_entries(bytes, 0x1000)) sink = sink + entry.end - entry.start;
            break;
        case 2:
            sink = sink + (code.add_object(bytes) ? 1U : 0U) + (code.find(0x1000) != code.end() ? 1U : 0U);
            break;
        case 3:
            sink = sink + code.add_perf_map(bytes) + (code.find(0x1000) != code.end() ? 1U : 0U);
            break;
        case 4:
            sink = sink + rules_of_code(bytes.substr(0, 4096), 0x1000).size();
            break;
        case 5:
            sink = sink + normalized_name(bytes).size();
            break;
        default:
            sink = sink + read_layers(bytes);
    }
    return 0;
}
