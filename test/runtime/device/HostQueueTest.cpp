#include "runtime/device/HostQueue.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

using namespace tegula::runtime;

TEST(HostQueue, EventsTakeTheTimeBetweenThem) {
  std::unique_ptr<Stream> stream = makeHostStream();
  std::unique_ptr<Event> start = makeHostEvent("interpreter"), end = makeHostEvent("interpreter");
  ASSERT_TRUE(start->record(stream.get()));
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ASSERT_TRUE(end->record(nullptr));
  EXPECT_TRUE(stream->synchronize());
  EXPECT_TRUE(end->synchronize());
  Result<float> between = end->millisecondsSince(*start);
  ASSERT_TRUE(between) << between.error().text;
  EXPECT_GE(*between, 2.0f);
}

TEST(HostQueue, NoTimeBetweenEventsOfDifferentDevicesOrUnrecorded) {
  std::unique_ptr<Event> start = makeHostEvent("interpreter"), end = makeHostEvent("interpreter");
  const std::string expected = "expected two recorded events of the interpreter";
  ASSERT_TRUE(end->record(nullptr));
  Result<float> unrecorded = end->millisecondsSince(*start);
  ASSERT_FALSE(unrecorded);
  EXPECT_EQ(unrecorded.error().kind, ErrorKind::InvalidArgument);
  EXPECT_EQ(unrecorded.error().text, expected);
  std::unique_ptr<Event> foreign = makeHostEvent("emulator");
  ASSERT_TRUE(foreign->record(nullptr));
  EXPECT_EQ(end->millisecondsSince(*foreign).error().text, expected);
}
