#include "test/runtime/emulator/golden/MatrixForms.h"

#include <functional>

namespace tegula::golden {

std::string MatrixForm::text() const {
  return "mma.sync.aligned.m" + std::to_string(m) + "n8k" + std::to_string(k) + ".row.col" + modifiers + "." +
         sum + "." + a + "." + b + "." + sum;
}

std::vector<MatrixForm> matrixForms(bool recorded) {
  std::vector<MatrixForm> out;
  for (unsigned k : {8u, 16u}) {
    out.push_back({16, k, "f16", "f16", "f32", ""});
    out.push_back({16, k, "f16", "f16", "f16", ""});
    out.push_back({16, k, "bf16", "bf16", "f32", ""});
  }
  for (unsigned k : {4u, 8u})
    out.push_back({16, k, "tf32", "tf32", "f32", ""});
  for (unsigned k : {16u, 32u})
    for (const std::string a : {"e4m3", "e5m2"})
      for (const std::string b : {"e4m3", "e5m2"})
        for (const std::string sum : {"f32", "f16"})
          out.push_back({16, k, a, b, sum, ""});
  if (!recorded)
    out.push_back({16, 32, "e4m3", "e5m2", "f32", ".kind::f8f6f4"});
  for (const std::string a : {"s8", "u8"})
    for (const std::string b : {"s8", "u8"})
      for (const std::string modifier : {"", ".satfinite"}) {
        out.push_back({8, 16, a, b, "s32", modifier});
        out.push_back({16, 16, a, b, "s32", modifier});
        out.push_back({16, 32, a, b, "s32", modifier});
      }
  out.push_back({8, 4, "f64", "f64", "f64", ""});
  for (unsigned k : {4u, 8u, 16u})
    for (const std::string modifier : {"", ".rn", ".rz", ".rm", ".rp"})
      out.push_back({16, k, "f64", "f64", "f64", modifier});
  return out;
}

unsigned elementBits(const std::string &type) {
  if (type == "f64")
    return 64;
  if (type == "f32" || type == "s32" || type == "tf32")
    return 32;
  return type == "f16" || type == "bf16" ? 16 : 8;
}

namespace {

struct Cell {
  unsigned row, column;
};

/// Returns the place in A of the element a_i of `lane`.
Cell cellOfA(const MatrixForm &form, unsigned lane, unsigned i) {
  const unsigned group = lane >> 2, t = lane % 4;
  if (form.m == 8)
    return {group, form.k == 4 ? t : t * 4 + i};
  switch (elementBits(form.a)) {
  case 64:
    return {i % 2 == 0 ? group : group + 8, i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t};
  case 32:
    return {i == 0 || i == 2 ? group : group + 8, i < 2 ? t : t + 4};
  case 16:
    if (form.k == 8)
      return {i < 2 ? group : group + 8, t * 2 + (i & 1)};
    return {i < 2 || (i >= 4 && i < 6) ? group : group + 8, i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8};
  default:
    if (form.k == 16)
      return {i < 4 ? group : group + 8, t * 4 + (i & 3)};
    return {i < 4 || (i >= 8 && i < 12) ? group : group + 8, i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16};
  }
}

Cell cellOfB(const MatrixForm &form, unsigned lane, unsigned i) {
  const unsigned group = lane >> 2, t = lane % 4;
  switch (elementBits(form.a)) {
  case 64:
    return {t + i * 4, group};
  case 32:
    return {i == 0 ? t : t + 4, group};
  case 16:
    return {i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8, group};
  default:
    return {i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16, group};
  }
}

Cell cellOfC(const MatrixForm &, unsigned lane, unsigned i) {
  const unsigned group = lane >> 2, t = lane % 4;
  return {i < 2 ? group : group + 8, t * 2 + (i & 1)};
}

using CellOf = Cell (*)(const MatrixForm &, unsigned, unsigned);

unsigned registers(size_t elements, unsigned bits) {
  return unsigned(elements / 32 / (bits == 64 ? 1 : 32 / bits));
}

/// Appends the registers of a matrix, eight bytes each: [lane][register].
void pack(std::vector<uint64_t> &words, const MatrixForm &form, const std::vector<uint64_t> &matrix,
          unsigned columns, unsigned bits, CellOf cellOf) {
  const unsigned count = registers(matrix.size(), bits), per = bits == 64 ? 1 : 32 / bits;
  const size_t start = words.size();
  words.resize(start + 32 * count);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < count * per; ++i) {
      const Cell cell = cellOf(form, lane, i);
      words[start + lane * count + i / per] |= matrix[cell.row * columns + cell.column] << (i % per * bits);
    }
}

/// D out of its registers.
std::vector<uint64_t> unpack(const uint64_t *words, const MatrixForm &form) {
  const unsigned bits = elementBits(form.sum), per = bits == 64 ? 1 : 32 / bits;
  std::vector<uint64_t> matrix(form.m * 8);
  const unsigned count = registers(matrix.size(), bits);
  const uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < count * per; ++i) {
      const Cell cell = cellOfC(form, lane, i);
      matrix[cell.row * 8 + cell.column] = words[lane * count + i / per] >> (i % per * bits) & mask;
    }
  return matrix;
}

std::string names(const std::string &prefix, unsigned count) {
  std::string out = "{";
  for (unsigned i = 0; i < count; ++i)
    out += (i ? ", %" : "%") + prefix + std::to_string(i);
  return out + "}";
}

/// A kernel whose block number i multiplies the i-th operands.
KernelImage kernelFor(const MatrixForm &form, const std::string &target) {
  const unsigned bits = elementBits(form.a), sumBits = elementBits(form.sum);
  const unsigned a = registers(form.m * form.k, bits), b = registers(form.k * 8, bits),
                 c = registers(form.m * 8, sumBits);
  const std::string word = bits == 64 ? "b64" : "b32";
  std::string body;
  const auto access = [&](const std::string &op, const std::string &name, unsigned count, unsigned param) {
    body += "  ld.param.u64 %at, [golden_param_" + std::to_string(param) +
            "];\n  cvta.to.global.u64 %at, %at;\n" + "  mad.wide.u32 %at, %thread, " +
            std::to_string(count * 8) + ", %at;\n";
    for (unsigned i = 0; i < count; ++i) {
      const std::string at = "[%at+" + std::to_string(8 * i) + "]", reg = "%" + name + std::to_string(i);
      body += "  " + op + ".global." + word + " " + (op == "ld" ? reg + ", " + at : at + ", " + reg) + ";\n";
    }
  };
  access("ld", "A", a, 0);
  access("ld", "B", b, 1);
  access("ld", "C", c, 2);
  body += "  " + form.text() + " " + names("D", c) + ", " + names("A", a) + ", " + names("B", b) + ", " +
          names("C", c) + ";\n";
  access("st", "D", c, 3);
  KernelImage image;
  image.entry = "golden";
  image.target = target;
  image.numWarps = 1;
  std::string params;
  for (unsigned i = 0; i < 4; ++i) {
    image.params.push_back({"p" + std::to_string(i), "*u64", ParamKind::Pointer, 8, i * 8});
    params += std::string(i ? ", " : "") + ".param .u64 golden_param_" + std::to_string(i);
  }
  image.paramBytes = 32;
  image.ptx = ".version 8.7\n.target " + target + "\n.address_size 64\n\n.visible .entry golden(" + params +
              ")\n.reqntid 32, 1, 1\n{\n  .reg .b64 %at;\n  .reg .b32 %thread, %block;\n  .reg ." + word +
              " %A<8>, %B<8>, %C<8>, %D<8>;\n  mov.u32 %thread, %tid.x;\n  mov.u32 %block, %ctaid.x;\n"
              "  mad.lo.u32 %thread, %block, 32, %thread;\n" +
              body + "  ret;\n}\n";
  return image;
}

} // namespace

runtime::Result<std::vector<std::vector<uint64_t>>> multiply(runtime::Device &device, const MatrixForm &form,
                                                             const std::vector<Matrices> &operands) {
  std::vector<uint64_t> words[4]; // A, B, C, D
  for (const Matrices &x : operands) {
    pack(words[0], form, x.a, form.k, elementBits(form.a), cellOfA);
    pack(words[1], form, x.b, 8, elementBits(form.b), cellOfB);
    pack(words[2], form, x.c, 8, elementBits(form.sum), cellOfC);
  }
  words[3].assign(words[2].size(), 0xdeadbeef);
  auto kernel = device.load(kernelFor(form, device.properties().arch));
  if (!kernel)
    return kernel.error();
  uint64_t params[4] = {};
  for (unsigned i = 0; i < 4; ++i) {
    auto made = device.allocate(words[i].size() * 8);
    if (!made)
      return made.error();
    params[i] = *made;
    if (auto copied = device.copyToDevice(*made, words[i].data(), words[i].size() * 8); !copied)
      return copied.error();
  }
  for (auto step : std::vector<std::function<runtime::Result<void>()>>{
           [&] {
             return device.launch(**kernel, {uint32_t(operands.size()), 1, 1},
                                  std::as_bytes(std::span(params)));
           },
           [&] { return device.synchronize(); },
           [&] { return device.copyToHost(words[3].data(), params[3], words[3].size() * 8); },
           [&] { return device.free(params[0]); }, [&] { return device.free(params[1]); },
           [&] { return device.free(params[2]); }, [&] { return device.free(params[3]); }})
    if (auto done = step(); !done)
      return done.error();
  std::vector<std::vector<uint64_t>> results;
  for (size_t i = 0; i < operands.size(); ++i)
    results.push_back(unpack(words[3].data() + words[3].size() / operands.size() * i, form));
  return results;
}

} // namespace tegula::golden
