// Reading a shared object that the process has loaded: its relocations, its GOT, and which object an address lies in.
// Only looks (dlopen with RTLD_NOLOAD, dladdr, its dynamic section in memory); loads nothing and changes nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/error.h"

namespace tare::benchmarks {

/// Where code lies: its exported name where the address is one, and the object that holds it.
struct CodeLocation {
    std::string symbol;   ///< empty unless a dynamic symbol starts at exactly this address
    std::string library;  ///< path of the object; empty if the address lies in none
    std::string address;  ///< "libm.so.6+0x1a2b0"

    bool operator==(const CodeLocation&) const = default;
};

[[nodiscard]] CodeLocation locate(const void* address);

/// One entry of a module's relocation tables that names a symbol: a slot that the dynamic linker fills.
struct Relocation {
    std::string symbol;
    const void* const* slot = nullptr;
};

/// A shared object that was loaded before; holds a reference so that it stays loaded.
class LoadedModule {
  public:
    /// Error where `path` is not loaded in this process.
    [[nodiscard]] static core::Expected<LoadedModule> find(const std::string& path);

    LoadedModule(LoadedModule&& other) noexcept;
    LoadedModule& operator=(LoadedModule&&) = delete;
    ~LoadedModule();

    /// Named relocations of DT_RELA and DT_JMPREL, in the order of the file.
    [[nodiscard]] const std::vector<Relocation>& relocations() const { return relocations_; }

    /// What `slot` points to; nullopt while it is unbound, that is still points into this module (its lazy PLT stub).
    [[nodiscard]] std::optional<const void*> bound_address(const Relocation& relocation) const;

    /// dlsym on this module: looks in it and then in the objects it depends on. Null if there is none.
    [[nodiscard]] void* symbol(const std::string& name) const;

    /// The file's name up to its first dot: `_multiarray_umath`.
    [[nodiscard]] std::string stem() const;
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    LoadedModule(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
    [[nodiscard]] core::Status read_relocations();

    void* handle_ = nullptr;
    std::string path_;
    const void* base_ = nullptr;  // as dladdr names it, to recognise addresses of this module
    std::vector<Relocation> relocations_;
};

/// The build-id (hex) in the notes of the object that holds `address`; empty if it carries none.
[[nodiscard]] std::string build_id_of(const void* address);

}  // namespace tare::benchmarks
