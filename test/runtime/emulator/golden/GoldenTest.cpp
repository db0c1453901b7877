// Replays on the emulator what a real GPU answered.
#include "runtime/emulator/EmulatorDevice.h"
#include "test/runtime/emulator/golden/GoldenForms.h"
#include "test/runtime/emulator/golden/GroupForms.h"
#include "test/runtime/emulator/golden/MapForms.h"
#include "test/runtime/emulator/golden/MatrixForms.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

using namespace tegula;

namespace {

using Recording = std::map<std::string, std::vector<uint64_t>>;

Recording readRecording(const std::string &name) {
  std::ifstream file(std::string(TEGULA_SOURCE_DIR) + "/test/runtime/emulator/golden/" + name);
  Recording recording;
  for (std::string line; std::getline(file, line);) {
    size_t bar = line.find(" |");
    if (line.empty() || line[0] == '#' || bar == std::string::npos)
      continue;
    std::istringstream words(line.substr(bar + 2));
    std::vector<uint64_t> &results = recording[line.substr(0, bar)];
    for (uint64_t word; words >> std::hex >> word;)
      results.push_back(word);
  }
  return recording;
}

TEST(Golden, EveryFormAgreesWithTheGpu) {
  auto recording = readRecording("h200.txt");
  ASSERT_FALSE(recording.empty());
  runtime::EmulatorDevice device;
  uint32_t wrongForms = 0;
  for (const golden::Form &form : golden::allForms()) {
    auto recorded = recording.find(form.code);
    auto results = golden::runForm(device, form);
    ASSERT_TRUE(bool(results)) << form.code << ": " << results.error().text;
    if (recorded == recording.end()) {
      ADD_FAILURE() << form.code << " has no recording: run record-golden scalars on the GPU";
      continue;
    }
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < golden::vectorsPerForm; ++i) {
      if (golden::distance(form, (*results)[i], recorded->second[i]) <= form.ulps)
        continue;
      if (wrong++ < 3)
        ADD_FAILURE() << form.code << " vector " << i << std::hex << ": a = " << golden::inputBits(form, 0, i)
                      << (form.inputs.size() > 1
                              ? ", b = " +
                                    (std::ostringstream() << std::hex << golden::inputBits(form, 1, i)).str()
                              : "")
                      << (form.inputs.size() > 2
                              ? ", c = " +
                                    (std::ostringstream() << std::hex << golden::inputBits(form, 2, i)).str()
                              : "")
                      << ": expected " << recorded->second[i] << ", found " << (*results)[i];
    }
    wrongForms += wrong != 0;
  }
  EXPECT_EQ(wrongForms, 0u);
}

/// Compares products of eight columns, `rows` of each, with what was recorded under the form and the pattern.
void expectRecorded(const Recording &recording, const std::string &form, const std::string &mode,
                    const runtime::Result<std::vector<std::vector<uint64_t>>> &results, size_t rows) {
  ASSERT_TRUE(bool(results)) << form << ": " << results.error().text;
  for (unsigned i = 0; i < golden::patternCount; ++i) {
    const std::string name = form + ", " + golden::nameOf(golden::Pattern(i));
    auto recorded = recording.find(name);
    if (recorded == recording.end()) {
      ADD_FAILURE() << name << " has no recording: run record-golden " << mode << " on the GPU";
      continue;
    }
    ASSERT_EQ(recorded->second.size(), rows * 8) << name;
    uint32_t wrong = 0, first = 0;
    for (uint32_t at = 0; at < recorded->second.size(); ++at)
      if (recorded->second[at] != (*results)[i][at] && wrong++ == 0)
        first = at;
    EXPECT_EQ(wrong, 0u) << name << ": first at row " << first / 8 << ", column " << first % 8 << std::hex
                         << ": expected " << recorded->second[first] << ", found " << (*results)[i][first];
  }
}

TEST(Golden, EveryMatrixProductAgreesWithTheGpu) {
  auto recording = readRecording("h200-matrices.txt");
  runtime::EmulatorDevice device;
  for (const golden::MatrixForm &form : golden::matrixForms(true)) {
    std::vector<golden::Matrices> operands;
    for (unsigned i = 0; i < golden::patternCount; ++i)
      operands.push_back(golden::matricesFor(form, golden::Pattern(i)));
    expectRecorded(recording, form.text(), "matrices", golden::multiply(device, form, operands), form.m);
  }
}

TEST(Golden, EveryProductOfAGroupAgreesWithTheGpu) {
  auto recording = readRecording("h200-groups.txt");
  runtime::EmulatorDevice device;
  for (const golden::GroupForm &form : golden::groupTypes()) {
    std::vector<golden::Matrices> operands;
    for (unsigned i = 0; i < golden::patternCount; ++i)
      operands.push_back(golden::groupMatricesFor(form, golden::Pattern(i)));
    expectRecorded(recording, form.text(), "groups", golden::multiplyInGroup(device, form, operands),
                   golden::recordedRows);
  }
}

TEST(Golden, EveryBoxAgreesWithTheGpu) {
  auto recording = readRecording("h200-maps.txt");
  ASSERT_FALSE(recording.empty());
  runtime::EmulatorDevice device;
  for (const golden::MapForm &form : golden::mapForms()) {
    auto recorded = recording.find(form.text());
    auto words = golden::copyBox(device, form);
    ASSERT_TRUE(bool(words)) << form.text() << ": " << words.error().text;
    if (recorded == recording.end())
      ADD_FAILURE() << form.text() << " has no recording: run record-golden maps on the GPU";
    else
      EXPECT_EQ(*words, recorded->second) << form.text();
  }
}

} // namespace
