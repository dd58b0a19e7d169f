// ProfiledProcess: the process that a preloaded library samples: from the library's constructor until the program ends,
// with its threads and forked children where they are wanted. Leaves no trace that the program would see.
#pragma once

#include "harness/worker/profile_request.h"
#include "pmu/sample_ring.h"

namespace tare::worker {

class ProfiledProcess {
  public:
    /// The only one; never destroyed, for threads run until the process is gone.
    [[nodiscard]] static ProfiledProcess& instance();

    /// Where a request is in the environment and the program is a Python; else the environment stays as it is, for a
    /// program between `bench` and the interpreter (a shell script that executes it).
    void begin();
    /// Of a thread that has just begun.
    void add_thread();
    void after_fork_in_child();
    /// Leaves the maps and stops. Not in a child that borrows this memory (vfork).
    void end();

  private:
    ProfiledProcess() = default;
    [[nodiscard]] bool open_ring(const ProfileRequest& request);
    [[nodiscard]] bool start(const ProfileRequest& request);
    void keep_ring_for_children(int descriptor);

    std::optional<pmu::SampleRing> ring_;
    int process_ = 0;  ///< 0: nothing is sampled
    bool threads_ = false;
    bool children_ = false;
    pthread_key_t at_thread_exit_{};
};

}  // namespace tare::worker
