// zlib's inflate, told to expect gzip's header.
#include "harness/history/gunzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <memory>

#include "harness/history/foreign_json.h"

namespace tare::history {

namespace {

constexpr int kGzipHeader = 16 + MAX_WBITS;  // inflateInit2's way to say so
constexpr std::size_t kChunkBytes = std::size_t{1} << 18;
constexpr std::size_t kMostInputBytes = std::size_t{1} << 30;  // zlib counts in 32 bits

}  // namespace

bool is_gzip(std::string_view bytes) {
    return bytes.starts_with("\x1f\x8b");
}

core::Expected<std::string> gunzip(std::string_view bytes, std::string_view name, std::size_t most_bytes) {
    z_stream stream{};
    if (bytes.size() > kMostInputBytes || inflateInit2(&stream, kGzipHeader) != Z_OK)
        return tl::unexpected(damaged_file(name, "gzip cannot unpack it"));
    const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib reads only
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string text;
    int state = Z_OK;
    while (state == Z_OK || (state == Z_STREAM_END && stream.avail_in > 0)) {
        if (state == Z_STREAM_END && inflateReset(&stream) != Z_OK) break;
        const std::size_t before = text.size();
        text.resize(before + kChunkBytes);
        stream.next_out = reinterpret_cast<Bytef*>(text.data() + before);
        stream.avail_out = static_cast<uInt>(kChunkBytes);
        state = inflate(&stream, Z_NO_FLUSH);
        text.resize(text.size() - stream.avail_out);
        if (text.size() > most_bytes)
            return tl::unexpected(damaged_file(name, fmt::format("it unpacks to more than {} bytes", most_bytes)));
    }
    if (state != Z_STREAM_END) return tl::unexpected(damaged_file(name, "gzip cannot unpack it"));
    return text;
}

}  // namespace tare::history
