// A cursor over bytes of foreign origin: little-endian numbers, LEB128, texts. A read past the end makes it bad, and
// bad it stays: callers check once. No state but its position.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace tare::attribution {

class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes, std::size_t position = 0)
        : bytes_(bytes), position_(position), good_(position <= bytes.size()) {}

    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] std::size_t position() const { return position_; }

    /// The next sizeof(T) bytes; zero past the end.
    template <class T>
    T number() {
        T value{};
        if (!good_ || bytes_.size() - position_ < sizeof(T)) {
            good_ = false;
            return value;
        }
        std::memcpy(&value, bytes_.data() + position_, sizeof(T));
        position_ += sizeof(T);
        return value;
    }

    std::uint64_t uleb128() { return leb128(nullptr); }

    std::int64_t sleb128() {
        int bits = 0;
        std::uint64_t value = leb128(&bits);
        const bool is_negative = bits > 0 && bits < 64 && ((value >> (bits - 1)) & 1) != 0;
        if (is_negative) value |= ~std::uint64_t{0} << bits;
        return static_cast<std::int64_t>(value);
    }

    /// Up to the next zero byte, which is skipped.
    std::string_view text() {
        const std::size_t end = good_ ? bytes_.find('\0', position_) : std::string_view::npos;
        if (end == std::string_view::npos) {
            good_ = false;
            return {};
        }
        const std::string_view found = bytes_.substr(position_, end - position_);
        position_ = end + 1;
        return found;
    }

  private:
    /// `bits`: how many the encoding holds, at most 64; sleb128 extends the sign from there.
    std::uint64_t leb128(int* bits) {
        std::uint64_t value = 0;
        int shift = 0;
        while (true) {
            const auto byte = number<std::uint8_t>();
            if (!good_) return 0;
            if (shift < 64) value |= std::uint64_t{byte & 0x7fU} << shift;
            shift += shift < 64 ? 7 : 0;
            if ((byte & 0x80) == 0) break;
        }
        if (bits != nullptr) *bits = shift;
        return value;
    }

    std::string_view bytes_;
    std::size_t position_;
    bool good_;
};

}  // namespace tare::attribution
