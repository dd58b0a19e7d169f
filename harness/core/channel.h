// Channel: framed messages over one end of a socket pair, between `bench` and a worker.
// Frame: length of the payload, 4 bytes little endian, then the payload in MessagePack. Used by one thread.
#pragma once

#include <chrono>
#include <string>

#include "harness/core/error.h"
#include "harness/core/value.h"

namespace tare::core {

class Channel {
  public:
    Channel() = default;
    explicit Channel(int descriptor) : descriptor_(descriptor) {}
    ~Channel();
    Channel(Channel&& other) noexcept;
    Channel& operator=(Channel&& other) noexcept;
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    [[nodiscard]] int descriptor() const { return descriptor_; }
    [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
    void close();

    /// Blocks until written. Errors: kWorkerDied when the peer is gone or our descriptor was closed by foreign code.
    [[nodiscard]] Status send(const Value& message);

    /// Blocks until one whole message is there. Errors: kWorkerDied at end of file, kData for a damaged frame.
    [[nodiscard]] Expected<Value> receive();

    /// Reads what is there without blocking and returns the next whole message, or nil while none is complete.
    /// For a caller that polls several descriptors.
    [[nodiscard]] Expected<Value> receive_available(bool& complete);

  private:
    [[nodiscard]] Expected<bool> next_frame(Value& message);

    int descriptor_ = -1;
    std::string pending_;  ///< bytes read and not yet returned
};

struct ChannelPair {
    Channel ours;
    Channel theirs;
};
/// Both ends are close-on-exec; the spawner clears it on the one that the worker inherits.
[[nodiscard]] Expected<ChannelPair> make_channel_pair();

}  // namespace tare::core
