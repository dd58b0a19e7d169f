// At stake: eight threads of three pools are eight numbers.
#include "harness/cli/thread_names.h"

#include <gmock/gmock.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <future>
#include <thread>

namespace tare::cli {
namespace {

constexpr std::int64_t kStartNs = 1'000'000'000, kLaterNs = 200'000'000;

TEST(ThreadNames, AreThoseThatTheThreadsHaveAndHad) {
    std::promise<std::int32_t> id;
    std::promise<void> named, renamed, ended;
    ThreadNames names;
    std::thread thread([&] {
        pthread_setname_np(pthread_self(), "pool 1\nof two");
        id.set_value(gettid());
        named.get_future().wait();
        pthread_setname_np(pthread_self(), "pool 2");
        renamed.set_value();
        ended.get_future().wait();
    });
    const std::int32_t number = id.get_future().get();
    names.met(getpid(), number, kStartNs);
    EXPECT_EQ(names.of(getpid(), number), "pool 1\nof two");
    named.set_value();
    renamed.get_future().wait();
    names.met(getpid(), number, kStartNs + 1);
    EXPECT_EQ(names.of(getpid(), number), "pool 1\nof two") << "not read with each sample";
    names.met(getpid(), number, kStartNs + kLaterNs);
    EXPECT_EQ(names.of(getpid(), number), "pool 2");
    ended.set_value();
    thread.join();
    names.met(getpid(), number, kStartNs + 2 * kLaterNs);
    EXPECT_EQ(names.of(getpid(), number), "pool 2");
}

/// A program whose first thread waits has no sample of it, and each of its threads would be called "python".
TEST(ThreadNames, ThatCameFromTheFirstThreadAreNoNames) {
    std::promise<std::int32_t> id;
    std::promise<void> ended;
    std::thread thread([&] {
        id.set_value(gettid());
        ended.get_future().wait();
    });
    const std::int32_t number = id.get_future().get();
    ThreadNames names;
    names.met(getpid(), number, kStartNs);
    EXPECT_EQ(names.of(getpid(), number), "");
    EXPECT_NE(names.of(getpid(), getpid()), "");
    ended.set_value();
    thread.join();
}

TEST(ThreadNames, OfThreadsThatWereNeverThereAreEmpty) {
    ThreadNames names;
    names.met(getpid(), -1, kStartNs);
    EXPECT_EQ(names.of(getpid(), -1), "");
    EXPECT_EQ(names.of(-1, 7), "");
}

}  // namespace
}  // namespace tare::cli
