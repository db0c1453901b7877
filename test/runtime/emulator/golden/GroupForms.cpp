#include "test/runtime/emulator/golden/GroupForms.h"

#include <cmath>
#include <cstring>
#include <functional>

namespace tegula::golden {

std::string GroupForm::text() const {
  std::string out =
      "wgmma.m64n" + std::to_string(n) + "k" + std::to_string(depth()) + "." + sum + "." + a + "." + b;
  out += aInRegisters ? ", a in registers" : kContiguousA ? ", a by k" : ", a by m";
  out += kContiguousB ? ", b by k" : ", b by n";
  return out + ", spans of " + std::to_string(span) + ", " + std::to_string(steps) + " steps" +
         (addsC ? "" : ", from zero");
}

std::vector<GroupForm> groupTypes() {
  std::vector<GroupForm> out;
  const auto add = [&](const std::string &a, const std::string &b, const std::string &sum) {
    GroupForm form;
    form.a = a, form.b = b, form.sum = sum;
    out.push_back(form);
  };
  add("f16", "f16", "f32"), add("f16", "f16", "f16"), add("bf16", "bf16", "f32"), add("tf32", "tf32", "f32");
  for (const std::string a : {"e4m3", "e5m2"})
    for (const std::string b : {"e4m3", "e5m2"})
      for (const std::string sum : {"f32", "f16"})
        add(a, b, sum);
  for (const std::string a : {"s8", "u8"})
    for (const std::string b : {"s8", "u8"})
      add(a, b, "s32");
  return out;
}

std::vector<GroupForm> groupLayouts() {
  std::vector<GroupForm> out;
  for (GroupForm form : groupTypes())
    for (unsigned span : {16u, 32u, 64u, 128u})
      for (unsigned ways = 0; ways < 8; ++ways) {
        form.aInRegisters = ways & 1;
        form.kContiguousA = !(ways & 2), form.kContiguousB = !(ways & 4);
        const bool mayTurn = elementBits(form.a) == 16 && span != 16;
        if ((!mayTurn && ways > 1) || (form.aInRegisters && !form.kContiguousA))
          continue;
        form.span = span, form.steps = 4;
        form.addsC = span != 64;
        // Spans along n want as many columns.
        form.n = form.kContiguousB ? (ways & 1 ? 8 : 64) : span == 128 ? 256 : span;
        out.push_back(form);
      }
  return out;
}

namespace {

/// A form of mma.sync with as many elements of each kind, for the generator of patterns.
MatrixForm standIn(const GroupForm &form, unsigned m) {
  return {m, form.k(), form.a, form.b, form.sum, ".group"};
}

/// The byte of element (`w`, `k`) of an operand with `width` rows or columns.
uint32_t placeOf(const GroupForm &form, bool kContiguous, uint32_t width, uint32_t w, uint32_t k) {
  const uint32_t bytes = elementBits(form.a) / 8, depth = form.k();
  const uint32_t along = (kContiguous ? k : w) * bytes, across = kContiguous ? w : k,
                 rows = kContiguous ? width : depth;
  // Spans one behind the other along the other axis, and then the next span of the contiguous one.
  const uint32_t address = along / form.span * rows * form.span + across * form.span + along % form.span;
  const uint32_t flipped = form.span / 16 - 1;
  return address ^ (address / 128 % 8 & flipped) * 16;
}

/// The descriptor of an operand that begins at byte 0 of a step.
uint64_t descriptorOf(const GroupForm &form, bool kContiguous, uint32_t width) {
  const uint64_t rows = kContiguous ? width : form.k(), next = rows * form.span / 16,
                 atom = 8 * form.span / 16;
  const uint64_t mode = form.span == 128 ? 1 : form.span == 64 ? 2 : form.span == 32 ? 3 : 0;
  return next << 16 | atom << 32 | mode << 62;
}

std::string list(const std::string &prefix, unsigned first, unsigned count) {
  std::string out = "{";
  for (unsigned i = 0; i < count; ++i)
    out += (i ? ", %" : "%") + prefix + std::to_string(first + i);
  return out + "}";
}

struct Sizes {
  unsigned a, b, sums, operandsA; ///< bytes of the images, registers of D and of A for each thread
};

Sizes sizesOf(const GroupForm &form) {
  const unsigned bytes = elementBits(form.a) / 8, perSum = 32 / elementBits(form.sum);
  return {64 * form.k() * bytes, form.n * form.k() * bytes, form.n / 2 / perSum,
          form.aInRegisters ? 4 * form.steps : 0};
}

/// Block i of 128 threads multiplies the i-th operands: an image of A and B for shared memory, and the
/// registers of each thread.
KernelImage kernelFor(const GroupForm &form, const std::string &target) {
  const Sizes sizes = sizesOf(form);
  std::string body;
  const auto line = [&](const std::string &text) { body += "  " + text + "\n"; };
  const auto pointer = [&](unsigned param, const std::string &bytesEach, const std::string &index) {
    line("ld.param.u64 %at, [golden_param_" + std::to_string(param) + "];");
    line("cvta.to.global.u64 %at, %at;");
    line("mad.wide.u32 %at, " + index + ", " + bytesEach + ", %at;");
  };
  pointer(0, std::to_string(sizes.a + sizes.b), "%block");
  line("cvt.u64.u32 %wide, %tid4;\n  add.s64 %at, %at, %wide;");
  line("mov.u32 %to, image;\n  add.u32 %to, %to, %tid4;");
  for (unsigned byte = 0; byte < sizes.a + sizes.b; byte += 512) {
    const uint32_t rest = sizes.a + sizes.b - byte;
    const std::string guard = rest < 512 ? "@%some " : "";
    if (rest < 512)
      line("setp.lt.u32 %some, %tid4, " + std::to_string(rest) + ";");
    line(guard + "ld.global.b32 %word, [%at+" + std::to_string(byte) + "];");
    line(guard + "st.shared.b32 [%to+" + std::to_string(byte) + "], %word;");
  }
  line("fence.proxy.async.shared::cta;\n  bar.sync 0;");
  const auto registers = [&](const std::string &op, const std::string &name, unsigned count, unsigned param) {
    pointer(param, std::to_string(count * 4), "%thread");
    for (unsigned i = 0; i < count; ++i) {
      const std::string at = "[%at+" + std::to_string(4 * i) + "]", reg = "%" + name + std::to_string(i);
      line(op + ".global.b32 " + (op == "ld" ? reg + ", " + at : at + ", " + reg) + ";");
    }
  };
  if (sizes.operandsA)
    registers("ld", "A", sizes.operandsA, 1);
  registers("ld", "D", sizes.sums, 2);
  line("mov.u32 %to, image;\n  shr.u32 %to, %to, 4;\n  cvt.u64.u32 %wide, %to;");
  line("wgmma.fence.sync.aligned;");
  const unsigned bytes = elementBits(form.a) / 8;
  for (unsigned step = 0; step < form.steps; ++step) {
    const auto descriptor = [&](bool kContiguous, uint32_t width, uint32_t start, const std::string &name) {
      const uint32_t place = start + placeOf(form, kContiguous, width, 0, step * form.depth());
      line("add.s64 %" + name + ", %wide, " +
           std::to_string(int64_t(descriptorOf(form, kContiguous, width) + place / 16)) + ";");
      return "%" + name;
    };
    const std::string a =
        form.aInRegisters ? list("A", 4 * step, 4) : descriptor(form.kContiguousA, 64, 0, "da");
    const std::string b = descriptor(form.kContiguousB, form.n, sizes.a, "db");
    std::string text = "wgmma.mma_async.sync.aligned.m64n" + std::to_string(form.n) + "k" +
                       std::to_string(form.depth()) + "." + form.sum + "." + form.a + "." + form.b + " " +
                       list("D", 0, sizes.sums) + ", " + a + ", " + b + ", " +
                       (step == 0 && !form.addsC ? "0" : "1");
    if (form.sum != "s32")
      text += ", 1, 1";
    if (bytes == 2)
      text += (form.aInRegisters   ? ""
               : form.kContiguousA ? ", 0"
                                   : ", 1") +
              std::string(form.kContiguousB ? ", 0" : ", 1");
    line(text + ";");
  }
  line("wgmma.commit_group.sync.aligned;\n  wgmma.wait_group.sync.aligned 0;");
  registers("st", "D", sizes.sums, 3);
  KernelImage image;
  image.entry = "golden";
  image.target = target;
  image.numWarps = 4;
  std::string params;
  for (unsigned i = 0; i < 4; ++i) {
    image.params.push_back({"p" + std::to_string(i), "*u32", ParamKind::Pointer, 8, i * 8});
    params += std::string(i ? ", " : "") + ".param .u64 golden_param_" + std::to_string(i);
  }
  image.paramBytes = 32;
  image.ptx =
      ".version 8.4\n.target sm_90a\n.address_size 64\n.shared .align 1024 .b8 image[" +
      std::to_string(sizes.a + sizes.b) + "];\n\n.visible .entry golden(" + params +
      ")\n.reqntid 128, 1, 1\n{\n  .reg .b64 %at, %wide, %da, %db;\n  .reg .b32 %thread, %block, %tid4, %to, "
      "%word;\n  .reg .pred %some;\n  .reg .b32 %A<16>, %D<128>;\n  mov.u32 %thread, %tid.x;\n  shl.b32 "
      "%tid4, %thread, 2;\n"
      "  mov.u32 %block, %ctaid.x;\n  mad.lo.u32 %thread, %block, 128, %thread;\n" +
      body + "  ret;\n}\n";
  return image;
}

/// Row and column of sum `i` of a thread, an element.
std::pair<unsigned, unsigned> cellOfSum(unsigned thread, unsigned i) {
  const unsigned lane = thread % 32;
  return {thread / 32 * 16 + lane / 4 + (i / 2 % 2) * 8, i / 4 * 8 + lane % 4 * 2 + i % 2};
}

/// Row and column of element `i` of a thread's registers of A, four registers to a step.
std::pair<unsigned, unsigned> cellOfA(const GroupForm &form, unsigned thread, unsigned i) {
  const unsigned lane = thread % 32, each = 32 / elementBits(form.a), reg = i / each;
  return {thread / 32 * 16 + lane / 4 + reg % 2 * 8,
          reg / 4 * form.depth() + (reg / 2 % 2 * 4 + lane % 4) * each + i % each};
}

void put(std::vector<uint32_t> &words, size_t byte, uint64_t value) {
  words[byte / 4] |= uint32_t(value << byte % 4 * 8);
}

} // namespace

Matrices groupMatricesFor(const GroupForm &form, Pattern pattern) {
  Matrices out = matricesFor(standIn(form, 64), pattern);
  return out;
}

/// The bits of small integers as elements of `type`.
static std::vector<uint64_t> smallIntegers(const std::string &type) {
  if (type == "s8" || type == "u8" || type == "s32")
    return {0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<uint64_t> out;
  for (const double value : {0, 1, -1, 2, -2, 3, 1, -3}) {
    // All of them have zeros behind the first twelve bits.
    const unsigned width = elementBits(type), unused = width > 12 ? width - 12 : 0;
    uint64_t bits = 0;
    while (decodeElement(type == "f32" ? "tf32" : type, bits) != value)
      bits += uint64_t(1) << unused;
    out.push_back(bits);
  }
  return out;
}

Matrices integersFor(const GroupForm &form) {
  uint32_t state = 12345;
  const auto some = [&](const std::string &type, size_t count) {
    const std::vector<uint64_t> choices = smallIntegers(type);
    std::vector<uint64_t> out;
    for (size_t i = 0; i < count; ++i) {
      state = state * 1664525 + 1013904223;
      out.push_back(choices[state >> 24 & 7]);
    }
    return out;
  };
  Matrices out;
  out.a = some(form.a, 64 * form.k());
  out.b = some(form.b, form.k() * form.n);
  out.c = some(form.sum, 64 * form.n);
  return out;
}

void scatterSpecials(Matrices &operands, const GroupForm &form, unsigned round) {
  scatterSpecials(operands, standIn(form, 64), round);
}

std::vector<uint64_t> exactProduct(const GroupForm &form, const Matrices &operands) {
  const auto value = [](const std::string &type, uint64_t bits) {
    return decodeElement(type == "f32" ? "tf32" : type, bits);
  };
  std::vector<uint64_t> out;
  for (unsigned row = 0; row < 64; ++row)
    for (unsigned column = 0; column < form.n; ++column) {
      double sum = form.addsC ? value(form.sum, operands.c[row * form.n + column]) : 0;
      for (unsigned k = 0; k < form.k(); ++k)
        sum += value(form.a, operands.a[row * form.k() + k]) * value(form.b, operands.b[k * form.n + column]);
      if (form.sum == "s32") {
        out.push_back(uint32_t(int32_t(sum)));
      } else if (form.sum == "f32") {
        const float single = float(sum);
        uint32_t bits = 0;
        std::memcpy(&bits, &single, 4);
        out.push_back(bits);
      } else {
        int exponent = 0;
        const double fraction = std::frexp(std::fabs(sum), &exponent); // 0.5 to 1
        out.push_back(sum == 0 ? 0
                               : (sum < 0 ? 0x8000u : 0u) | uint32_t(exponent + 14) << 10 |
                                     (uint32_t(std::ldexp(fraction, 11)) & 0x3ff));
      }
    }
  return out;
}

runtime::Result<std::vector<std::vector<uint64_t>>>
multiplyInGroup(runtime::Device &device, const GroupForm &form, const std::vector<Matrices> &operands) {
  const Sizes sizes = sizesOf(form);
  const unsigned bytes = elementBits(form.a) / 8, sumBits = elementBits(form.sum), perSum = 32 / sumBits;
  std::vector<uint32_t> words[4]; // images, registers of A, of C, of D
  for (const Matrices &x : operands) {
    std::vector<uint32_t> image((sizes.a + sizes.b) / 4), ofA(128 * size_t(sizes.operandsA)),
        ofC(128 * size_t(sizes.sums));
    for (unsigned row = 0; row < 64; ++row)
      for (unsigned k = 0; k < form.k(); ++k)
        put(image, placeOf(form, form.kContiguousA, 64, row, k), x.a[row * form.k() + k]);
    for (unsigned k = 0; k < form.k(); ++k)
      for (unsigned column = 0; column < form.n; ++column)
        put(image, sizes.a + placeOf(form, form.kContiguousB, form.n, column, k), x.b[k * form.n + column]);
    for (unsigned thread = 0; thread < 128; ++thread) {
      for (unsigned i = 0; i < sizes.operandsA * 4 / bytes; ++i) {
        const auto [row, k] = cellOfA(form, thread, i);
        put(ofA, thread * sizes.operandsA * 4 + i * bytes, x.a[row * form.k() + k]);
      }
      for (unsigned i = 0; i < sizes.sums * perSum; ++i) {
        const auto [row, column] = cellOfSum(thread, i);
        put(ofC, thread * sizes.sums * 4 + i * sumBits / 8, x.c[row * form.n + column]);
      }
    }
    for (auto &[to, from] : {std::pair(&words[0], &image), {&words[1], &ofA}, {&words[2], &ofC}})
      to->insert(to->end(), from->begin(), from->end());
  }
  words[3].assign(words[2].size(), 0xdeadbeef);
  words[1].resize(std::max<size_t>(words[1].size(), 1));
  auto kernel = device.load(kernelFor(form, device.properties().arch));
  if (!kernel)
    return kernel.error();
  uint64_t params[4] = {};
  for (unsigned i = 0; i < 4; ++i) {
    auto made = device.allocate(words[i].size() * 4);
    if (!made)
      return made.error();
    params[i] = *made;
    if (auto copied = device.copyToDevice(*made, words[i].data(), words[i].size() * 4); !copied)
      return copied.error();
  }
  const std::function<runtime::Result<void>()> steps[] = {
      [&] {
        return device.launch(**kernel, {uint32_t(operands.size()), 1, 1}, std::as_bytes(std::span(params)));
      },
      [&] { return device.synchronize(); },
      [&] { return device.copyToHost(words[3].data(), params[3], words[3].size() * 4); },
      [&] { return device.free(params[0]); },
      [&] { return device.free(params[1]); },
      [&] { return device.free(params[2]); },
      [&] { return device.free(params[3]); }};
  for (const auto &step : steps)
    if (auto done = step(); !done)
      return done.error();
  std::vector<std::vector<uint64_t>> results;
  for (size_t at = 0; at < operands.size(); ++at) {
    std::vector<uint64_t> &out = results.emplace_back(64 * size_t(form.n));
    for (unsigned thread = 0; thread < 128; ++thread)
      for (unsigned i = 0; i < sizes.sums * perSum; ++i) {
        const auto [row, column] = cellOfSum(thread, i);
        const size_t bit = size_t(i) * sumBits;
        out[row * form.n + column] = words[3][(at * 128 + thread) * sizes.sums + bit / 32] >> bit % 32 &
                                     (sumBits == 32 ? ~0u : 0xffffu);
      }
  }
  return results;
}

} // namespace tegula::golden
