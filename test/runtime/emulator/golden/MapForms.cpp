#include "test/runtime/emulator/golden/MapForms.h"

#include <cstring>
#include <functional>

namespace tegula::golden {

/// Bytes of shared memory that are copied over.
static constexpr uint32_t imageBytes = 4096;
/// Value of bytes that nothing is copied to.
static constexpr uint8_t untouched = 0xee;

uint32_t MapForm::elementBytes() const { return *scalarBytes(element); }

uint32_t MapForm::boxBytes() const {
  uint32_t bytes = elementBytes();
  for (const uint32_t side : box)
    bytes *= side;
  return bytes;
}

uint32_t MapForm::stride(uint32_t axis) const {
  if (axis == 0)
    return elementBytes();
  uint32_t bytes = (sizes[0] * elementBytes() + 31) / 16 * 16;
  for (uint32_t outer = 1; outer < axis; ++outer)
    bytes *= sizes[outer];
  return bytes;
}

static std::string list(const auto &numbers) {
  std::string out;
  for (const auto number : numbers)
    out += (out.empty() ? "" : "x") + std::to_string(number);
  return out;
}

std::string MapForm::text() const {
  return std::string(isStore ? "store " : "load ") + list(box) + " of " + element + " " + list(sizes) +
         " at " + list(at) + ", swizzle " + std::to_string(swizzle) + ", shared " + std::to_string(shared);
}

std::vector<MapForm> mapForms() {
  struct Place {
    std::vector<uint32_t> sizes, box;
    std::vector<std::vector<int32_t>> at;
  };
  // Sides in elements of two bytes; those of one and four have rows of as many bytes.
  const std::vector<Place> places = {
      {{200}, {64}, {{0}, {40}, {-8}, {170}, {-64}, {200}}},
      {{70, 20}, {64, 8}, {{0, 0}, {8, 3}, {-5, -2}, {30, 17}, {0, 20}, {70, 0}, {-64, 0}}},
      {{70, 20}, {16, 8}, {{0, 0}, {61, 14}}},
      {{70, 20}, {32, 16}, {{4, 2}, {-3, 9}}},
      {{70, 9, 5}, {64, 2, 3}, {{0, 0, 0}, {16, 8, 3}, {-1, -1, -1}}},
      {{40, 3, 4, 3, 2}, {32, 2, 2, 2, 2}, {{0, 0, 0, 0, 0}, {8, 1, 2, 1, 0}, {-2, 2, -1, 2, 1}}},
  };
  std::vector<MapForm> out;
  for (const auto &[element, bytes] : {std::pair("u8", 1u), {"bf16", 2u}, {"fp32", 4u}})
    for (const Place &place : places)
      for (const uint32_t swizzle : {0u, 32u, 64u, 128u})
        for (size_t i = 0; i < place.at.size(); ++i) {
          MapForm form{element, place.sizes, place.box, place.at[i], swizzle};
          form.sizes[0] = form.sizes[0] * 2 / bytes;
          form.box[0] = form.box[0] * 2 / bytes;
          form.at[0] = form.at[0] * 2 / int32_t(bytes);
          // What is left out the hardware does otherwise, or not at all.
          if ((swizzle && form.box[0] * bytes != swizzle) || form.at[0] * int32_t(bytes) % 16)
            continue;
          const bool isWithin = form.at[0] >= 0 && uint32_t(form.at[0]) + form.box[0] <= form.sizes[0];
          // Not every way with every type, and shared memory that is aligned to no more than it must be.
          const bool isFirst = i == 0;
          if (bytes != 2 && !isFirst && i % 3 != bytes % 3)
            continue;
          form.shared = i % 4 * 128;
          form.isStore = false;
          out.push_back(form);
          if ((bytes == 2 || isFirst) && isWithin) {
            form.isStore = true;
            out.push_back(form);
          }
        }
  return out;
}

/// The byte at `place` of the source.
static uint8_t sourceByte(uint32_t place) { return uint8_t((place * 0x9e3779b1u) >> 24); }

static std::vector<uint8_t> bytesOf(uint32_t count, const std::function<uint8_t(uint32_t)> &byte) {
  std::vector<uint8_t> bytes(count);
  for (uint32_t i = 0; i < count; ++i)
    bytes[i] = byte(i);
  return bytes;
}

static std::vector<uint64_t> words(const std::vector<uint8_t> &bytes) {
  std::vector<uint64_t> out(bytes.size() / 4);
  for (size_t i = 0; i < out.size(); ++i)
    std::memcpy(&out[i], &bytes[i * 4], 4);
  return out;
}

/// The part of shared memory that a load may change: recorded is no more.
static uint32_t recordedBytes(const MapForm &form) {
  return form.shared + (form.boxBytes() + 127) / 128 * 128;
}

std::vector<uint64_t> expectedWords(const MapForm &form) {
  const uint32_t bytes = form.elementBytes();
  const auto empty = [](uint32_t) { return untouched; };
  std::vector<uint8_t> out = bytesOf(form.isStore ? form.arrayBytes() : recordedBytes(form), empty);
  for (uint32_t number = 0; number < form.boxBytes() / bytes; ++number) {
    uint32_t rest = number, inArray = 0;
    bool isInside = true;
    for (uint32_t axis = 0; axis < form.sizes.size(); ++axis) {
      const int64_t coordinate = int64_t(form.at[axis]) + rest % form.box[axis];
      rest /= form.box[axis];
      isInside = isInside && coordinate >= 0 && coordinate < form.sizes[axis];
      inArray += uint32_t(coordinate) * form.stride(axis);
    }
    const uint32_t dense = form.shared + number * bytes, row = dense / 128,
                   chunks = form.swizzle ? form.swizzle / 16 : 1; // of a span, which change places by the row
    const uint32_t inShared = dense ^ (row % chunks) * 16;
    for (uint32_t i = 0; i < bytes; ++i) {
      if (!form.isStore)
        out[inShared + i] = isInside ? sourceByte(inArray + i) : 0;
      else if (isInside)
        out[inArray + i] = sourceByte(inShared + i);
    }
  }
  return words(out);
}

/// `k(array, image)`: a load gives the image out, a store takes it.
static KernelImage kernelFor(const MapForm &form, const std::string &target) {
  const uint32_t rank = uint32_t(form.sizes.size());
  std::string coordinates, body;
  for (uint32_t axis = 0; axis < rank; ++axis) {
    coordinates += (axis ? ", %c" : "%c") + std::to_string(axis);
    body += "mov.b32 %c" + std::to_string(axis) + ", " + std::to_string(form.at[axis]) + ";\n";
  }
  const std::string number = std::to_string(rank) + "d", map = "[%map, {" + coordinates + "}]";
  const std::string copy =
      form.isStore
          ? "@%one cp.async.bulk.tensor." + number + ".global.shared::cta.tile.bulk_group " + map +
                ", [%at];\n@%one cp.async.bulk.commit_group;\n@%one cp.async.bulk.wait_group 0;\n"
          : "@%one mbarrier.arrive.expect_tx.shared.b64 _, [bar], " + std::to_string(form.boxBytes()) +
                ";\n@%one cp.async.bulk.tensor." + number +
                ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%at], " + map + ", [bar];\n" +
                "WAIT:\nmbarrier.try_wait.parity.shared.b64 %done, [bar], 0;\n@!%done bra WAIT;\n";
  const auto forWords = [](const std::string &label, const std::string &moves) {
    return "mov.u32 %i, %id4;\n" + label +
           ":\nadd.u32 %r, %image, %i;\ncvt.u64.u32 %w, %i;\nadd.s64 %w, %out, %w;\n" + moves +
           "add.u32 %i, %i, 128;\nsetp.lt.u32 %more, %i, " + std::to_string(imageBytes) + ";\n@%more bra " +
           label + ";\n";
  };
  KernelImage image;
  image.entry = image.kernel = "golden";
  image.target = target;
  image.numWarps = 1;
  addParam(image, {"array", "*" + form.element, ParamKind::Pointer, 8});
  addParam(image, {"image", "*u32", ParamKind::Pointer, 8});
  TensorMap recipe{
      .base = 0, .element = form.element, .elementBytes = form.elementBytes(), .swizzle = form.swizzle};
  for (uint32_t axis = 0; axis < rank; ++axis)
    recipe.axes.push_back({{form.sizes[axis]}, {form.stride(axis) / form.elementBytes()}, form.box[axis]});
  addImplicitMap(image, recipe);
  image.ptx =
      ".version 8.0\n.target sm_90a\n.address_size 64\n.shared .align 1024 .b8 memory[" +
      std::to_string(imageBytes) +
      "];\n.shared .align 8 .b64 bar;\n.visible .entry golden(.param .u64 golden_param_0, .param .u64 "
      "golden_param_1, .param .align 64 .b8 golden_param_2[128])\n.reqntid 32\n{\n.reg .b32 %id, %id4, %i, "
      "%r, %v, %image, %at, %c<5>;\n.reg .b64 %map, %out, %w;\n.reg .pred %one, %more, %done;\n"
      "mov.u32 %id, %tid.x;\nshl.b32 %id4, %id, 2;\nsetp.eq.u32 %one, %id, 0;\nmov.u32 %image, memory;\n"
      "add.u32 %at, %image, " +
      std::to_string(form.shared) +
      ";\nmov.b64 %map, golden_param_2;\ncvta.param.u64 %map, %map;\nld.param.u64 %out, [golden_param_1];\n"
      "cvta.to.global.u64 %out, %out;\n" +
      body + forWords("FILL", "ld.global.b32 %v, [%w];\nst.shared.b32 [%r], %v;\n") +
      "@%one mbarrier.init.shared.b64 [bar], 1;\nfence.mbarrier_init.release.cluster;\n"
      "fence.proxy.async.shared::cta;\nbar.sync 0;\n" +
      copy + forWords("GIVE", "ld.shared.b32 %v, [%r];\nst.global.b32 [%w], %v;\n") + "ret;\n}\n";
  return image;
}

runtime::Result<std::vector<uint64_t>> copyBox(runtime::Device &device, const MapForm &form) {
  const auto empty = [](uint32_t) { return untouched; };
  std::vector<uint8_t> array = bytesOf(form.arrayBytes(), sourceByte), image = bytesOf(imageBytes, empty);
  if (form.isStore) {
    array = bytesOf(form.arrayBytes(), empty);
    image = bytesOf(imageBytes, sourceByte);
  }
  auto kernel = device.load(kernelFor(form, device.properties().arch));
  if (!kernel)
    return kernel.error();
  uint64_t params[2] = {};
  std::vector<uint8_t> *const buffers[] = {&array, &image};
  for (unsigned i = 0; i < 2; ++i) {
    auto made = device.allocate(buffers[i]->size());
    if (!made)
      return made.error();
    params[i] = *made;
    if (auto copied = device.copyToDevice(*made, buffers[i]->data(), buffers[i]->size()); !copied)
      return copied.error();
  }
  std::vector<uint8_t> &changed = form.isStore ? array : image;
  const std::function<runtime::Result<void>()> steps[] = {
      [&] { return device.launch(**kernel, {}, std::as_bytes(std::span(params))); },
      [&] { return device.synchronize(); },
      [&] { return device.copyToHost(changed.data(), params[form.isStore ? 0 : 1], changed.size()); },
      [&] { return device.free(params[0]); }, [&] { return device.free(params[1]); }};
  for (const auto &step : steps)
    if (auto done = step(); !done)
      return done.error();
  if (!form.isStore)
    changed.resize(recordedBytes(form));
  return words(changed);
}

} // namespace tegula::golden
