// At stake: that a message arrives whole or as an error, however the bytes are cut, and that a dead peer is no signal.
#include "harness/core/channel.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

namespace tare::core {
namespace {

TEST(Channel, CarriesAMessageLargerThanTheSocketBuffer) {
    Expected<ChannelPair> pair = make_channel_pair();
    ASSERT_TRUE(pair);
    const Value message(Map{{"text", std::string(3 << 20, 'x')}});
    std::thread sender([&] { EXPECT_TRUE(pair->ours.send(message)); });
    const Expected<Value> received = pair->theirs.receive();
    sender.join();
    ASSERT_TRUE(received);
    EXPECT_EQ(*received, message);
}

TEST(Channel, ReturnsMessagesOneByOneWhenTheyArriveTogether) {
    Expected<ChannelPair> pair = make_channel_pair();
    ASSERT_TRUE(pair);
    ASSERT_TRUE(pair->ours.send(Value(1)));
    ASSERT_TRUE(pair->ours.send(Value(2)));
    bool complete = false;
    EXPECT_EQ(pair->theirs.receive_available(complete)->as_int(), 1);
    EXPECT_TRUE(complete);
    EXPECT_EQ(pair->theirs.receive()->as_int(), 2);
    EXPECT_TRUE(pair->theirs.receive_available(complete)->is_nil());
    EXPECT_FALSE(complete);
}

TEST(Channel, SaysThatThePeerIsGone) {
    Expected<ChannelPair> pair = make_channel_pair();
    ASSERT_TRUE(pair);
    pair->theirs.close();
    EXPECT_EQ(pair->ours.receive().error().code, ErrorCode::kWorkerDied);
    const Status sent = pair->ours.send(Value(std::string(1 << 20, 'x')));
    ASSERT_FALSE(sent);
    EXPECT_EQ(sent.error().code, ErrorCode::kWorkerDied);
}

TEST(Channel, RefusesAFrameLengthThatNoMessageHas) {
    Expected<ChannelPair> pair = make_channel_pair();
    ASSERT_TRUE(pair);
    const char damaged[4] = {'\xff', '\xff', '\xff', '\xff'};
    ASSERT_EQ(::send(pair->ours.descriptor(), damaged, sizeof damaged, 0), 4);
    const Expected<Value> received = pair->theirs.receive();
    ASSERT_FALSE(received);
    EXPECT_EQ(received.error().code, ErrorCode::kData);
}

}  // namespace
}  // namespace tare::core
