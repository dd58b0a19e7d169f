// Framing over a Unix stream socket. MSG_NOSIGNAL: a dead peer is an error value, never SIGPIPE.
#include "harness/core/channel.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/core/codec.h"

namespace tare::core {

namespace {
constexpr std::size_t kHeaderBytes = 4;
constexpr std::uint32_t kMaxFrameBytes = 256u << 20;  // a whole ledger of 1e6 addresses is 10 MB; beyond: damage
}  // namespace

Channel::~Channel() {
    close();
}

Channel::Channel(Channel&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), pending_(std::move(other.pending_)) {}

Channel& Channel::operator=(Channel&& other) noexcept {
    if (this != &other) {
        close();
        descriptor_ = std::exchange(other.descriptor_, -1);
        pending_ = std::move(other.pending_);
    }
    return *this;
}

void Channel::close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

Status Channel::send(const Value& message) {
    const std::string payload = encode(message);
    if (payload.size() > kMaxFrameBytes)
        return fail(ErrorCode::kData,
                    fmt::format("a message of {} bytes exceeds the limit of {}", payload.size(), kMaxFrameBytes));
    std::string frame(kHeaderBytes, '\0');
    const auto size = static_cast<std::uint32_t>(payload.size());
    for (std::size_t i = 0; i < kHeaderBytes; ++i) frame[i] = static_cast<char>((size >> (8 * i)) & 0xff);
    frame += payload;
    std::size_t done = 0;
    while (done < frame.size()) {
        const ssize_t n = ::send(descriptor_, frame.data() + done, frame.size() - done, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            return fail(ErrorCode::kWorkerDied, fmt::format("cannot write to the channel: {}", std::strerror(errno)));
        done += static_cast<std::size_t>(n);
    }
    return {};
}

Expected<bool> Channel::next_frame(Value& message) {
    if (pending_.size() < kHeaderBytes) return false;
    std::uint32_t size = 0;
    for (std::size_t i = 0; i < kHeaderBytes; ++i)
        size |= static_cast<std::uint32_t>(static_cast<unsigned char>(pending_[i])) << (8 * i);
    if (size > kMaxFrameBytes)
        return fail(ErrorCode::kData, fmt::format("a frame claims {} bytes; the limit is {}", size, kMaxFrameBytes));
    if (pending_.size() < kHeaderBytes + size) return false;
    Expected<Value> value = decode(std::string_view(pending_).substr(kHeaderBytes, size));
    if (!value) return tl::unexpected<Error>(std::move(value.error()));
    pending_.erase(0, kHeaderBytes + size);
    message = *std::move(value);
    return true;
}

Expected<Value> Channel::receive() {
    for (;;) {
        Value message;
        Expected<bool> complete = next_frame(message);
        if (!complete) return tl::unexpected<Error>(std::move(complete.error()));
        if (*complete) return message;
        std::array<char, 65536> chunk;
        const ssize_t n = ::recv(descriptor_, chunk.data(), chunk.size(), 0);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0)
            return fail(ErrorCode::kWorkerDied, fmt::format("cannot read from the channel: {}", std::strerror(errno)));
        if (n == 0) return fail(ErrorCode::kWorkerDied, "the other side closed the channel");
        pending_.append(chunk.data(), static_cast<std::size_t>(n));
    }
}

Expected<Value> Channel::receive_available(bool& complete) {
    for (;;) {
        Value message;
        Expected<bool> whole = next_frame(message);
        if (!whole) return tl::unexpected<Error>(std::move(whole.error()));
        complete = *whole;
        if (complete) return message;
        std::array<char, 65536> chunk;
        const ssize_t n = ::recv(descriptor_, chunk.data(), chunk.size(), MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Value();
        if (n < 0)
            return fail(ErrorCode::kWorkerDied, fmt::format("cannot read from the channel: {}", std::strerror(errno)));
        if (n == 0) return fail(ErrorCode::kWorkerDied, "the other side closed the channel");
        pending_.append(chunk.data(), static_cast<std::size_t>(n));
    }
}

Expected<ChannelPair> make_channel_pair() {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return fail(ErrorCode::kEnvironment, fmt::format("cannot create a socket pair: {}", std::strerror(errno)));
    return ChannelPair{Channel(ends[0]), Channel(ends[1])};
}

}  // namespace tare::core
