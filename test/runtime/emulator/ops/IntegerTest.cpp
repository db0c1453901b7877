// Integer and bit instructions against 128-bit arithmetic and bit-by-bit definitions.

#include "test/runtime/emulator/Operands.h"
#include "test/runtime/emulator/RunPtx.h"

#include <algorithm>
#include <functional>

namespace tegula::runtime::test {
namespace {

using Wide = __int128;
constexpr size_t samples = 4096;

uint64_t cut(Wide value, unsigned bits) {
  return bits == 64 ? uint64_t(value) : uint64_t(value) & ((uint64_t(1) << bits) - 1);
}
Wide extend(uint64_t value, unsigned bits, bool isSigned) {
  if (isSigned && value >> (bits - 1) & 1)
    return Wide(value) - (Wide(1) << bits);
  return Wide(value);
}
char letter(unsigned bits) { return bits == 16 ? 'h' : bits == 32 ? 'r' : 'd'; }

/// Fills `$o $a $b $c` with registers of the given widths.
std::string fill(std::string code, unsigned out, unsigned a, unsigned b, unsigned c) {
  const std::pair<const char *, unsigned> names[] = {{"$o", out}, {"$a", a}, {"$b", b}, {"$c", c}};
  for (const auto &[name, bits] : names)
    for (size_t at; (at = code.find(name)) != std::string::npos;)
      code.replace(at, 2, std::string("%") + (bits == 1 ? 'p' : letter(bits)) + name[1]);
  return code;
}

struct Case {
  std::string code;
  unsigned out, a, b, c;
  std::function<uint64_t(uint64_t, uint64_t, uint64_t)> oracle;
};

void check(const Case &test) {
  Operands operands(std::hash<std::string>()(test.code));
  const std::vector<uint64_t> a = operands.integers(test.a, samples), b = operands.integers(test.b, samples),
                              c = operands.integers(test.c, samples);
  const std::vector<uint64_t> found =
      evaluate(fill(test.code, test.out, test.a, test.b, test.c), test.out, a, b, c);
  for (size_t i = 0; i < samples; ++i)
    ASSERT_EQ(found[i], test.oracle(a[i], b[i], c[i]))
        << std::hex << test.code << " a=" << a[i] << " b=" << b[i] << " c=" << c[i];
}

TEST(Integer, ArithmeticOfAllWidths) {
  for (unsigned w : {16u, 32u, 64u})
    for (bool s : {false, true}) {
      const std::string type = (s ? ".s" : ".u") + std::to_string(w);
      const auto x = [=](uint64_t value) { return extend(value, w, s); };
      check({"add" + type + " $o, $a, $b;", w, w, w, w,
             [=](auto a, auto b, auto) { return cut(x(a) + x(b), w); }});
      check({"sub" + type + " $o, $a, $b;", w, w, w, w,
             [=](auto a, auto b, auto) { return cut(x(a) - x(b), w); }});
      check({"mul.lo" + type + " $o, $a, $b;", w, w, w, w, [=](auto a, auto b, auto) {
               return cut(Wide((unsigned __int128)x(a) * (unsigned __int128)x(b)), w);
             }});
      check({"mul.hi" + type + " $o, $a, $b;", w, w, w, w, [=](auto a, auto b, auto) {
               return cut(
                   s ? (x(a) * x(b)) >> w : Wide((unsigned __int128)x(a) * (unsigned __int128)x(b) >> w), w);
             }});
      check({"mad.lo" + type + " $o, $a, $b, $c;", w, w, w, w, [=](auto a, auto b, auto c) {
               return cut(Wide((unsigned __int128)x(a) * (unsigned __int128)x(b) + c), w);
             }});
      check({"mad.hi" + type + " $o, $a, $b, $c;", w, w, w, w, [=](auto a, auto b, auto c) {
               return cut(
                   (s ? (x(a) * x(b)) >> w : Wide((unsigned __int128)x(a) * (unsigned __int128)x(b) >> w)) +
                       x(c),
                   w);
             }});
      check({"min" + type + " $o, $a, $b;", w, w, w, w,
             [=](auto a, auto b, auto) { return x(a) < x(b) ? a : b; }});
      check({"max" + type + " $o, $a, $b;", w, w, w, w,
             [=](auto a, auto b, auto) { return x(a) > x(b) ? a : b; }});
      check({"div" + type + " $o, $a, $b;", w, w, w, w,
             [=](auto a, auto b, auto) { return b ? cut(x(a) / x(b), w) : cut(-1, w); }});
      check({"rem" + type + " $o, $a, $b;", w, w, w, w,
             [=](auto a, auto b, auto) { return b ? cut(x(a) % x(b), w) : a; }});
      check({"sad" + type + " $o, $a, $b, $c;", w, w, w, w, [=](auto a, auto b, auto c) {
               return cut((x(a) < x(b) ? x(b) - x(a) : x(a) - x(b)) + x(c), w);
             }});
      check({"shr" + type + " $o, $a, $b;", w, w, 32, w,
             [=](auto a, auto b, auto) { return cut(x(a) >> std::min<uint64_t>(b, 100), w); }});
      if (s) {
        check({"abs" + type + " $o, $a;", w, w, w, w,
               [=](auto a, auto, auto) { return cut(x(a) < 0 ? -x(a) : x(a), w); }});
        check({"neg" + type + " $o, $a;", w, w, w, w, [=](auto a, auto, auto) { return cut(-x(a), w); }});
      }
      if (w < 64) {
        check({"mul.wide" + type + " $o, $a, $b;", 2 * w, w, w, w,
               [=](auto a, auto b, auto) { return cut(x(a) * x(b), 2 * w); }});
        check({"mad.wide" + type + " $o, $a, $b, $c;", 2 * w, w, w, 2 * w,
               [=](auto a, auto b, auto c) { return cut(x(a) * x(b) + Wide(c), 2 * w); }});
      }
    }
}

TEST(Integer, SaturationReluAndDotProducts) {
  const auto clamp = [](Wide value) { return cut(std::clamp<Wide>(value, INT32_MIN, INT32_MAX), 32); };
  const auto x = [](uint64_t value) { return extend(value, 32, true); };
  check(
      {"add.sat.s32 $o, $a, $b;", 32, 32, 32, 32, [=](auto a, auto b, auto) { return clamp(x(a) + x(b)); }});
  check(
      {"sub.sat.s32 $o, $a, $b;", 32, 32, 32, 32, [=](auto a, auto b, auto) { return clamp(x(a) - x(b)); }});
  check({"mad.hi.sat.s32 $o, $a, $b, $c;", 32, 32, 32, 32,
         [=](auto a, auto b, auto c) { return clamp(((x(a) * x(b)) >> 32) + x(c)); }});
  check({"min.relu.s32 $o, $a, $b;", 32, 32, 32, 32,
         [=](auto a, auto b, auto) { return cut(std::max<Wide>(0, std::min(x(a), x(b))), 32); }});
  check({"max.relu.s32 $o, $a, $b;", 32, 32, 32, 32,
         [=](auto a, auto b, auto) { return cut(std::max<Wide>(0, std::max(x(a), x(b))), 32); }});
  for (bool s : {false, true}) {
    check({std::string("dp4a.") + (s ? "s32" : "u32") + ".s32 $o, $a, $b, $c;", 32, 32, 32, 32,
           [=](auto a, auto b, auto c) {
             Wide sum = Wide(c);
             for (unsigned i = 0; i < 4; ++i)
               sum += extend(a >> 8 * i & 255, 8, s) * extend(b >> 8 * i & 255, 8, true);
             return cut(sum, 32);
           }});
    check({std::string("dp2a.hi.") + (s ? "s32" : "u32") + ".u32 $o, $a, $b, $c;", 32, 32, 32, 32,
           [=](auto a, auto b, auto c) {
             return cut(Wide(c) + extend(a & 0xffff, 16, s) * Wide(b >> 16 & 255) +
                            extend(a >> 16, 16, s) * Wide(b >> 24),
                        32);
           }});
  }
}

TEST(Integer, CarriesChain) {
  // 128-bit addition and subtraction out of four 32-bit steps each.
  const std::string split =
      ".reg .b32 %x0, %x1, %y0, %y1, %z0, %z1, %z2;\nmov.b64 {%x0, %x1}, %da;\nmov.b64 {%y0, %y1}, %db;\n";
  check({split + "add.cc.u32 %z0, %x0, %y0;\naddc.cc.u32 %z1, %x1, %y1;\naddc.u32 %z2, 0, 0;\nadd.u32 %z1, "
                 "%z1, %z2;\nmov.b64 $o, {%z0, %z1};",
         64, 64, 64, 64, [](auto a, auto b, auto) {
           const auto sum = (unsigned __int128)a + b;
           return uint64_t(sum) + (uint64_t(sum >> 64) << 32);
         }});
  check({split + "sub.cc.u32 %z0, %x0, %y0;\nsubc.cc.u32 %z1, %x1, %y1;\nsubc.u32 %z2, 0, 0;\nmov.b64 $o, "
                 "{%z1, %z2};",
         64, 64, 64, 64,
         [](auto a, auto b, auto) { return (a - b) >> 32 | (a < b ? 0xffffffff00000000 : 0); }});
  // The upper half of a 64 x 64 product plus the lower half's carries.
  check(
      {split +
           "mul.lo.u32 %z0, %x0, %y0;\nmul.hi.u32 %z1, %x0, %y0;\nmad.lo.cc.u32 %z1, %x1, %y0, "
           "%z1;\nmadc.hi.u32 %z2, %x1, %y0, 0;\n"
           "mad.lo.cc.u32 %z1, %x0, %y1, %z1;\nmadc.hi.cc.u32 %z2, %x0, %y1, %z2;\naddc.u32 %y0, 0, "
           "0;\nmad.lo.cc.u32 %z2, %x1, %y1, %z2;\nmadc.hi.u32 %y0, %x1, %y1, %y0;\nmov.b64 $o, {%z2, %y0};",
       64, 64, 64, 64, [](auto a, auto b, auto) { return uint64_t(((unsigned __int128)a * b) >> 64); }});
  check({"add.cc.u64 $o, $a, $b;\naddc.u64 $o, 0, 0;", 64, 64, 64, 64,
         [](auto a, auto b, auto) { return uint64_t(((unsigned __int128)a + b) >> 64); }});
}

TEST(Integer, LogicAndShifts) {
  for (unsigned w : {16u, 32u, 64u}) {
    const std::string type = ".b" + std::to_string(w);
    check({"and" + type + " $o, $a, $b;", w, w, w, w, [](auto a, auto b, auto) { return a & b; }});
    check({"or" + type + " $o, $a, $b;", w, w, w, w, [](auto a, auto b, auto) { return a | b; }});
    check({"xor" + type + " $o, $a, $b;", w, w, w, w, [](auto a, auto b, auto) { return a ^ b; }});
    check({"not" + type + " $o, $a;", w, w, w, w, [=](auto a, auto, auto) { return cut(Wide(~a), w); }});
    check({"cnot" + type + " $o, $a;", w, w, w, w, [](auto a, auto, auto) { return uint64_t(a == 0); }});
    check({"shl" + type + " $o, $a, $b;", w, w, 32, w,
           [=](auto a, auto b, auto) { return b >= w ? 0 : cut(Wide(a) << b, w); }});
  }
  const auto pair = [](uint64_t a, uint64_t b) { return b << 32 | a; };
  check({"shf.l.clamp.b32 $o, $a, $b, $c;", 32, 32, 32, 32, [=](auto a, auto b, auto c) {
           return cut(Wide((unsigned __int128)pair(a, b) << std::min<uint64_t>(c, 32) >> 32), 32);
         }});
  check({"shf.r.clamp.b32 $o, $a, $b, $c;", 32, 32, 32, 32,
         [=](auto a, auto b, auto c) { return cut(Wide(pair(a, b) >> std::min<uint64_t>(c, 32)), 32); }});
  check({"shf.l.wrap.b32 $o, $a, $b, $c;", 32, 32, 32, 32,
         [=](auto a, auto b, auto c) { return cut(Wide(pair(a, b) << (c & 31) >> 32), 32); }});
  check({"shf.r.wrap.b32 $o, $a, $b, $c;", 32, 32, 32, 32,
         [=](auto a, auto b, auto c) { return cut(Wide(pair(a, b) >> (c & 31)), 32); }});
  for (unsigned table : {0u, 0x96u, 0xe8u, 0xcau, 0x2du, 0xffu})
    check({"lop3.b32 $o, $a, $b, $c, " + std::to_string(table) + ";", 32, 32, 32, 32,
           [=](auto a, auto b, auto c) {
             uint64_t out = 0;
             for (unsigned i = 0; i < 32; ++i)
               out |= uint64_t(table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
             return out;
           }});
}

TEST(Integer, BitFields) {
  for (unsigned w : {32u, 64u}) {
    const std::string bits = std::to_string(w);
    const auto operand = [=](uint64_t value) {
      return w == 32 ? value & 255 : std::min<uint64_t>(value, 1000);
    };
    for (bool s : {false, true})
      check({std::string("bfe.") + (s ? "s" : "u") + bits + " $o, $a, $b, $c;", w, w, 32, 32,
             [=](auto a, auto b, auto c) {
               const uint64_t start = operand(b), length = operand(c);
               const bool sign = s && length && (a >> std::min<uint64_t>(start + length - 1, w - 1) & 1);
               uint64_t out = 0;
               for (uint64_t i = 0; i < w; ++i)
                 out |= (i < length && start + i < w ? a >> (start + i) & 1 : uint64_t(sign)) << i;
               return out;
             }});
    check({"bfi.b" + bits + " $o, $a, $b, $c, 9;", w, w, w, 32, [=](auto a, auto b, auto c) {
             for (uint64_t i = 0, start = operand(c); i < 9 && start + i < w; ++i)
               b = (b & ~(uint64_t(1) << (start + i))) | (a >> i & 1) << (start + i);
             return b;
           }});
    check({"brev.b" + bits + " $o, $a;", w, w, w, w, [=](auto a, auto, auto) {
             uint64_t out = 0;
             for (unsigned i = 0; i < w; ++i)
               out = out << 1 | (a >> i & 1);
             return out;
           }});
    check({"clz.b" + bits + " $o, $a;", 32, w, w, w, [=](auto a, auto, auto) {
             uint64_t zeros = 0;
             while (zeros < w && !(a >> (w - 1 - zeros) & 1))
               ++zeros;
             return zeros;
           }});
    check({"popc.b" + bits + " $o, $a;", 32, w, w, w,
           [=](auto a, auto, auto) { return uint64_t(__builtin_popcountll(a)); }});
    for (bool s : {false, true})
      for (bool shift : {false, true})
        check({std::string("bfind") + (shift ? ".shiftamt" : "") + (s ? ".s" : ".u") + bits + " $o, $a;", 32,
               w, w, w, [=](auto a, auto, auto) {
                 const bool sign = s && (a >> (w - 1) & 1);
                 for (unsigned i = w; i-- > 0;)
                   if (bool(a >> i & 1) != sign)
                     return uint64_t(shift ? w - 1 - i : i);
                 return uint64_t(0xffffffff);
               }});
  }
  check({"bmsk.clamp.b32 $o, $a, $b;", 32, 32, 32, 32, [](auto a, auto b, auto) {
           return a >= 32 ? 0 : cut(Wide((uint64_t(1) << std::min<uint64_t>(b, 32)) - 1) << a, 32);
         }});
  check({"bmsk.wrap.b32 $o, $a, $b;", 32, 32, 32, 32,
         [](auto a, auto b, auto) { return cut(Wide((uint64_t(1) << (b & 31)) - 1) << (a & 31), 32); }});
  check({"szext.clamp.s32 $o, $a, $b;", 32, 32, 32, 32, [](auto a, auto b, auto) {
           return b == 0 ? 0 : b >= 32 ? a : cut(extend(a & ((1ull << b) - 1), unsigned(b), true), 32);
         }});
  check({"szext.wrap.u32 $o, $a, $b;", 32, 32, 32, 32,
         [](auto a, auto b, auto) { return a & ((1ull << (b & 31)) - 1); }});
}

TEST(Integer, Permutes) {
  const auto byte = [](uint64_t a, uint64_t b, unsigned i) { return (b << 32 | a) >> 8 * (i & 7) & 255; };
  check({"prmt.b32 $o, $a, $b, $c;", 32, 32, 32, 32, [=](auto a, auto b, auto c) {
           uint64_t out = 0;
           for (unsigned i = 0; i < 4; ++i) {
             const unsigned pick = c >> 4 * i & 15;
             const uint64_t one = byte(a, b, pick);
             out |= (pick & 8 ? (one & 128 ? 255 : 0) : one) << 8 * i;
           }
           return out;
         }});
  const std::tuple<const char *, int, int, int, int> modes[] = {{"f4e", 0, 1, 2, 3}, {"b4e", 0, -1, -2, -3}};
  for (const auto &[name, d0, d1, d2, d3] : modes)
    check({std::string("prmt.b32.") + name + " $o, $a, $b, $c;", 32, 32, 32, 32,
           [=, d0 = d0, d1 = d1, d2 = d2, d3 = d3](auto a, auto b, auto c) {
             const int start = int(c & 3);
             uint64_t out = 0;
             int i = 0;
             for (const int d : {d0, d1, d2, d3})
               out |= byte(a, b, unsigned(start + d + 8)) << 8 * i++;
             return out;
           }});
  check({"prmt.b32.rc8 $o, $a, $b, $c;", 32, 32, 32, 32,
         [=](auto a, auto b, auto c) { return byte(a, b, c & 3) * 0x01010101; }});
  check({"prmt.b32.rc16 $o, $a, $b, $c;", 32, 32, 32, 32,
         [=](auto a, auto, auto c) { return (a >> 16 * (c & 1) & 0xffff) * 0x00010001; }});
  const auto edge = [=](uint64_t a, uint64_t b, uint64_t c, bool left) {
    uint64_t out = 0;
    for (unsigned i = 0; i < 4; ++i)
      out |= byte(a, b, left ? std::max<unsigned>(i, c & 3) : std::min<unsigned>(i, c & 3)) << 8 * i;
    return out;
  };
  check({"prmt.b32.ecl $o, $a, $b, $c;", 32, 32, 32, 32,
         [=](auto a, auto b, auto c) { return edge(a, b, c, true); }});
  check({"prmt.b32.ecr $o, $a, $b, $c;", 32, 32, 32, 32,
         [=](auto a, auto b, auto c) { return edge(a, b, c, false); }});
}

TEST(Integer, PackedShorts) {
  for (bool s : {false, true}) {
    const std::string type = s ? ".s16x2" : ".u16x2";
    const auto each = [=](auto op) {
      return [=](uint64_t a, uint64_t b, uint64_t) {
        uint64_t out = 0;
        for (unsigned i : {0u, 16u})
          out |= cut(op(extend(a >> i & 0xffff, 16, s), extend(b >> i & 0xffff, 16, s)), 16) << i;
        return out;
      };
    };
    check({"add" + type + " $o, $a, $b;", 32, 32, 32, 32, each([](Wide x, Wide y) { return x + y; })});
    check(
        {"min" + type + " $o, $a, $b;", 32, 32, 32, 32, each([](Wide x, Wide y) { return std::min(x, y); })});
    check(
        {"max" + type + " $o, $a, $b;", 32, 32, 32, 32, each([](Wide x, Wide y) { return std::max(x, y); })});
  }
}

TEST(Integer, MovesPackAndUnpack) {
  check({".reg .b16 %x<4>;\nmov.b64 {%x0, %x1, %x2, %x3}, $a;\nmov.b64 $o, {%x3, %x2, %x1, %x0};", 64, 64, 64,
         64, [](auto a, auto, auto) {
           return a << 48 | (a & 0xffff0000) << 16 | (a >> 16 & 0xffff0000) | a >> 48;
         }});
  check({"mov.b32 {_, %ho}, $a;\ncvt.u32.u16 $o, %ho;", 32, 32, 32, 32,
         [](auto a, auto, auto) { return a >> 16; }});
  check({".reg .b128 %x, %y;\n.reg .b64 %lo;\nmov.b128 %x, {$a, $b};\nmov.b128 %y, %x;\nmov.b128 {%lo, $o}, "
         "%y;\nsub.s64 $o, $o, %lo;",
         64, 64, 64, 64, [](auto a, auto b, auto) { return b - a; }});
  check({"mov.u32 %ro, %tid.x;\nmov.b32 $o, %ra;", 32, 32, 32, 32, [](auto a, auto, auto) { return a; }});
}

} // namespace
} // namespace tegula::runtime::test
