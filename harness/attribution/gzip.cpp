// zlib in one call.
#include "harness/attribution/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

namespace tare::attribution {

std::string gzipped(std::string_view text) {
    constexpr int kGzipHeader = 16;  // added to the window's bits, zlib.h's deflateInit2
    constexpr int kMemory = 8;       // its default
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipHeader, kMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return {};
    std::string compressed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
    std::size_t read = 0, written = 0;
    int status = Z_OK;
    while (status == Z_OK) {  // counts of zlib are 32 bits wide
        constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data() + read));
        stream.avail_in = static_cast<uInt>(std::min(text.size() - read, kMost));
        stream.next_out = reinterpret_cast<Bytef*>(compressed.data() + written);
        stream.avail_out = static_cast<uInt>(std::min(compressed.size() - written, kMost));
        const std::size_t in = stream.avail_in, out = stream.avail_out;
        status = deflate(&stream, read + in == text.size() ? Z_FINISH : Z_NO_FLUSH);
        read += in - stream.avail_in;
        written += out - stream.avail_out;
    }
    deflateEnd(&stream);
    compressed.resize(written);
    return compressed;
}

}  // namespace tare::attribution
