// An owned file descriptor, and writing all of a text to one.
#pragma once

#include <string_view>
#include <utility>

namespace tare::record {

class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        if (this != &other) {
            close();
            number_ = std::exchange(other.number_, -1);
        }
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool is_open() const { return number_ >= 0; }
    void close();

  private:
    int number_ = -1;
};

/// Writes everything, also across interrupted and partial writes. Returns 0 or errno.
[[nodiscard]] int write_all(const Descriptor& descriptor, std::string_view text);

}  // namespace tare::record
