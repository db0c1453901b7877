// Made by derive.sollya; README.md says how. Not to be edited.
#pragma once

#include <cstdint>

namespace tegula::expandmath {

/// The constants for floats of that many bits. Each is exactly representable in that format.
template <int Bits> struct Coefficients;

template <> struct Coefficients<32> {
  /// e^r - 1 = r + r^2 (c0 + c1 r + ...), |r| <= ln(2) / 2; off by 2^-26.
  static constexpr double expm1[] = {
      0x1.fffffep-2, 0x1.5554aep-3, 0x1.555712p-5, 0x1.122934p-7, 0x1.6b79c8p-10,
  };
  /// 2^r - 1 = r (c0 + c1 r + ...), |r| <= 1 / 2; off by 2^-26.1.
  static constexpr double exp2m1[] = {
      0x1.62e43p-1, 0x1.ebfbdep-3, 0x1.c6af9cp-5, 0x1.3b2c56p-7, 0x1.5ef62ap-10, 0x1.427c86p-13,
  };
  /// ln(1 + f) = f + f^2 (c0 + c1 f + ...), sqrt(1/2) <= 1 + f <= sqrt(2); off by 2^-27.8.
  static constexpr double log1p[] = {
      -0x1.fffff8p-2, 0x1.55555p-2,   -0x1.000432p-2, 0x1.99a41ap-3,  -0x1.5425c4p-3,
      0x1.226dfcp-3,  -0x1.0f3fa6p-3, 0x1.0860dp-3,   -0x1.384734p-4,
  };
  /// log2(1 + f) = f + f (c0 + c1 f + ...), same range; off by 2^-26.5.
  static constexpr double log2p1[] = {
      0x1.c551dap-2,  -0x1.71547p-1, 0x1.ec7034p-2,  -0x1.715a9ep-2, 0x1.278ce8p-2,
      -0x1.eacafap-3, 0x1.a15dfp-3,  -0x1.8567bep-3, 0x1.85652cp-3,  -0x1.dcd528p-4,
  };
  /// log10(1 + f) = f / 2 + f (c0 + c1 f + ...), same range; off by 2^-26.7.
  static constexpr double log10p1[] = {
      -0x1.0d213ap-4, -0x1.bcb7aap-3, 0x1.287a4p-3,   -0x1.bcbefep-4, 0x1.63ddf8p-4,
      -0x1.277cc8p-4, 0x1.f6e2c2p-5,  -0x1.d52cdap-5, 0x1.d33fc6p-5,  -0x1.1ca028p-5,
  };
  /// sin r = r + r^3 (c0 + c1 r^2 + ...), |r| <= pi / 4; off by 2^-27.8.
  static constexpr double sin[] = {
      -0x1.555544p-3,
      0x1.1106cap-7,
      -0x1.991e0cp-13,
  };
  /// cos r = 1 - r^2 / 2 + r^4 (c0 + c1 r^2 + ...), |r| <= pi / 4; off by 2^-32.7.
  static constexpr double cos[] = {
      0x1.55554ap-5,
      -0x1.6c0c16p-10,
      0x1.99df48p-16,
  };
  /// asin x = x + x^3 (c0 + c1 x^2 + ...), |x| <= 1 / 2; off by 2^-27.5.
  static constexpr double asin[] = {
      0x1.5555cap-3, 0x1.330174p-4, 0x1.748912p-5, 0x1.8bbdfp-6, 0x1.59c842p-5,
  };
  /// atan x = x + x^3 (c0 + c1 x^2 + ...), |x| <= 1; off by 2^-25.8.
  static constexpr double atan[] = {
      -0x1.5554dcp-2, 0x1.9978eep-3, -0x1.230abp-3,  0x1.b4dfdcp-4,
      -0x1.3553f4p-4, 0x1.61f756p-5, -0x1.0c23fep-6, 0x1.7ec1c4p-9,
  };
  /// erf x = x + x (c0 + c1 x^2 + ...), |x| <= 1; off by 2^-29.3.
  static constexpr double erf[] = {
      0x1.06eba8p-3, -0x1.81273ep-2,  0x1.ce2cfp-4,   -0x1.b7f854p-6,
      0x1.53ff46p-8, -0x1.a3c5cap-11, 0x1.48e034p-14,
  };
  /// sinh x = x + x^3 (c0 + c1 x^2 + ...), |x| <= 1; off by 2^-25.3.
  static constexpr double sinh[] = {
      0x1.555598p-3,
      0x1.10f76p-7,
      0x1.ab427cp-13,
  };
  /// tanh x = x + x^3 (c0 + c1 x^2 + ...), |x| <= tanhEnd; off by 2^-27.6.
  static constexpr double tanh[] = {
      -0x1.55553cp-2, 0x1.110be2p-3, -0x1.b961dap-5,  0x1.60067ep-6,
      -0x1.0453dcp-7, 0x1.2d74f8p-9, -0x1.7758f2p-12,
  };
  static constexpr double tanhEnd = 0x1p0;
  /// erfc(x) e^(x^2) (x + K) = c0 + c1 t + ..., t = (x - K) / (x + K); off by 2^-25.7.
  static constexpr double erfcx[] = {
      0x1.058672p0,   -0x1.5fd386p-1,  0x1.1e2dc2p-2,   -0x1.2a89d4p-5,  -0x1.60504ap-6,
      0x1.a8fa1ap-8,  0x1.90f02cp-9,   -0x1.c65b2ep-11, -0x1.3b1952p-11, 0x1.b9a16ap-14,
      0x1.a822a2p-14, -0x1.244212p-15, -0x1.9bb504p-16,
  };
  /// Its K.
  static constexpr double erfcCentre = 0x1p1;
  /// ln 2, as a sum.
  static constexpr double ln2[] = {
      0x1.62e43p-1,
      -0x1.05c61p-29,
  };
  /// ln 2 so short that its product with an exponent is exact, and the rest.
  static constexpr double ln2Short[] = {
      0x1.62e4p-1,
      0x1.7f7d1cp-20,
  };
  /// log10 2, as a sum.
  static constexpr double log10Of2[] = {
      0x1.344136p-2,
      -0x1.ec10cp-27,
  };
  /// log2 e, as a sum.
  static constexpr double log2OfE[] = {
      0x1.715476p0,
      0x1.4ae0cp-26,
  };
  /// 2 log2 e, as a sum.
  static constexpr double twoLog2OfE[] = {
      0x1.715476p1,
      0x1.4ae0cp-25,
  };
  /// pi / 2, as a sum.
  static constexpr double halfPi[] = {
      0x1.921fb4p0,
      0x1.4442dp-24,
      0x1.846988p-48,
  };
  /// 2 / pi, as a sum.
  static constexpr double inverseHalfPi[] = {
      0x1.45f306p-1,
  };
  /// The c of atanh s = s + c s^3 + s^5 (c0 + c1 s^2 + ...), |s| <= 0.1716, as a sum.
  static constexpr double atanhCubic[] = {
      0x1.555554p-2,
      0x1.f9dc4p-27,
  };
  /// The c0, c1, ... of that; off by 2^-37.5.
  static constexpr double atanhTail[] = {
      0x1.999a7cp-3,
      0x1.24386ep-3,
      0x1.e307b4p-4,
  };
  /// log2 erfc x = c0 + c1 x + ..., 1 <= x <= 4, so that erf x = 1 - 2^that; off by 2^-26.7.
  static constexpr double log2Erfc[] = {
      0x1.1c74fep-12, -0x1.a12fe6p0,  -0x1.d3bbfp-1,  -0x1.405674p-3,
      0x1.29eccep-5,  -0x1.8d88c4p-8, 0x1.4dd20ap-11, -0x1.06751cp-15,
  };
};

template <> struct Coefficients<64> {
  /// e^r - 1 = r + r^2 (c0 + c1 r + ...), |r| <= ln(2) / 2; off by 2^-61.5.
  static constexpr double expm1[] = {
      0x1p-1,
      0x1.5555555555559p-3,
      0x1.555555555554dp-5,
      0x1.111111110f62ep-7,
      0x1.6c16c16c1ab13p-10,
      0x1.a01a01b01e718p-13,
      0x1.a01a018e12a92p-16,
      0x1.71ddf7b3af4cbp-19,
      0x1.27e5130306027p-22,
      0x1.af5fefed85b0dp-26,
      0x1.1f1aecf7702c9p-29,
  };
  /// 2^r - 1 = r (c0 + c1 r + ...), |r| <= 1 / 2; off by 2^-54.7.
  static constexpr double exp2m1[] = {
      0x1.62e42fefa39efp-1,  0x1.ebfbdff82c58fp-3,  0x1.c6b08d704a234p-5,  0x1.3b2ab6fba4d48p-7,
      0x1.5d87fe7849c1cp-10, 0x1.430912f8c1e7dp-13, 0x1.ffcbfed1646e2p-17, 0x1.62c020eb3a61bp-20,
      0x1.b51d08a907ad6p-24, 0x1.e4d3ea96481ebp-28, 0x1.017842e4030dfp-31, 0x1.be1addea42b7fp-36,
      -0x1.e8ac8b0e7b75p-36,
  };
  /// ln(1 + f) = f + f^2 (c0 + c1 f + ...), sqrt(1/2) <= 1 + f <= sqrt(2); off by 2^-58.8.
  static constexpr double log1p[] = {
      -0x1p-1,
      0x1.5555555555574p-2,
      -0x1.ffffffffffebcp-3,
      0x1.9999999993b0ap-3,
      -0x1.5555555566c5fp-3,
      0x1.24924927cd0b5p-3,
      -0x1.fffffff734d93p-4,
      0x1.c71c7004f69b9p-4,
      -0x1.999999e1f741fp-4,
      0x1.745d5ce54e3a3p-4,
      -0x1.55558d78703f8p-4,
      0x1.3b0d43cf1eb63p-4,
      -0x1.2487b28a21376p-4,
      0x1.116ac9740ae95p-4,
      -0x1.00e03a09fd02ep-4,
      0x1.dcaf8c27710a2p-5,
      -0x1.b3aea47175e67p-5,
      0x1.ba81435516865p-5,
      -0x1.0193ad41141e2p-4,
      0x1.d6a65a4b9c31bp-5,
      -0x1.92e725a29f0b7p-6,
  };
  /// log2(1 + f) = f + f (c0 + c1 f + ...), same range; off by 2^-55.9.
  static constexpr double log2p1[] = {
      0x1.c551d94ae0bf8p-2, -0x1.71547652b82fep-1, 0x1.ec709dc3a050dp-2, -0x1.71547652b8371p-2,
      0x1.2776c50eeb54p-2,  -0x1.ec709dc38b76fp-3, 0x1.a61762b2e983ap-3, -0x1.7154765f7c343p-3,
      0x1.484b117164e7dp-3, -0x1.2776c13563c72p-3, 0x1.0c9ad2d4d6d08p-3, -0x1.ec71e87da643ep-4,
      0x1.c68324f1101efp-4, -0x1.a5f66f3b64234p-4, 0x1.8a841eaa948ebp-4, -0x1.735076e316628p-4,
      0x1.58356a1cabb5bp-4, -0x1.3668631c296bcp-4, 0x1.395f74fefdbb8p-4, -0x1.7a3066882b32bp-4,
      0x1.68358b986515fp-4, -0x1.3c804dfee0c3ep-5,
  };
  /// log10(1 + f) = f / 2 + f (c0 + c1 f + ...), same range; off by 2^-57.
  static constexpr double log10p1[] = {
      -0x1.0d213ab646bc7p-4, -0x1.bcb7b1526e50fp-3, 0x1.287a7636f4335p-3, -0x1.bcb7b1526e0d7p-4,
      0x1.63c6277526294p-4,  -0x1.287a76372503fp-4, 0x1.fc3fa616a40fdp-5, -0x1.bcb7b1349f7aap-5,
      0x1.8b4df21a68002p-5,  -0x1.63c62bc9ae84fp-5, 0x1.436e7f24d241cp-5, -0x1.287a345b83097p-5,
      0x1.11a738a9e7dd5p-5,  -0x1.fc3c6ca47477ep-6, 0x1.daf8af9647557p-6, -0x1.bda75c22ee126p-6,
      0x1.9d73d2a7af65cp-6,  -0x1.7d62f5f22a7ap-6,  0x1.862f22159c311p-6, -0x1.bb430a5a3c635p-6,
      0x1.867e6c42c1e36p-6,  -0x1.44f716c5709e2p-7,
  };
  /// sin r = r + r^3 (c0 + c1 r^2 + ...), |r| <= pi / 4; off by 2^-62.8.
  static constexpr double sin[] = {
      -0x1.5555555555555p-3,  0x1.111111111108dp-7,  -0x1.a01a01a00769ap-13, 0x1.71de3a4104758p-19,
      -0x1.ae643ea23ced2p-26, 0x1.61159aab22806p-33, -0x1.a5de7a7ed891bp-41,
  };
  /// cos r = 1 - r^2 / 2 + r^4 (c0 + c1 r^2 + ...), |r| <= pi / 4; off by 2^-63.6.
  static constexpr double cos[] = {
      0x1.5555555555549p-5,   -0x1.6c16c16c14bf5p-10, 0x1.a01a019c2b246p-16,
      -0x1.27e4f7aab7dbdp-22, 0x1.1ee9ac423940fp-29,  -0x1.8f8e1a07a8c17p-37,
  };
  /// asin x = x + x^3 (c0 + c1 x^2 + ...), |x| <= 1 / 2; off by 2^-59.8.
  static constexpr double asin[] = {
      0x1.5555555555578p-3, 0x1.333333332df45p-4, 0x1.6db6db72284e6p-5, 0x1.f1c71a8ce4f0dp-6,
      0x1.6e8bdfc1fe157p-6, 0x1.1c49e07c3a4a5p-6, 0x1.ca210cbfcf0bbp-7, 0x1.75792ac8699b9p-7,
      0x1.6182b04f9d19bp-7, 0x1.e1c439875424cp-9, 0x1.64e75138b3da6p-6, -0x1.59d854743a489p-6,
      0x1.0bdd5c520da09p-5,
  };
  /// atan x = x + x^3 (c0 + c1 x^2 + ...), |x| <= 1; off by 2^-57.5.
  static constexpr double atan[] = {
      -0x1.5555555555526p-2, 0x1.99999999955b4p-3,  -0x1.249249237f57dp-3,  0x1.c71c717fcf76dp-4,
      -0x1.745d11ae74c7ap-4, 0x1.3b13669a2a047p-4,  -0x1.110e5126fd02dp-4,  0x1.e1bba66c1a4b8p-5,
      -0x1.ae5e72c0e6984p-5, 0x1.82dad79d1736p-5,   -0x1.59a3ff2ac6667p-5,  0x1.2c2e5ccfd4e26p-5,
      -0x1.e9fa0da6643e9p-6, 0x1.683cc98472e13p-6,  -0x1.c78fcd542af16p-7,  0x1.d7b927bbdceedp-8,
      -0x1.7a399ad4364a2p-9, 0x1.b3facbcd7bb8ap-11, -0x1.3f364d4b9695cp-13, 0x1.bbed9f7b04237p-17,
  };
  /// erf x = x + x (c0 + c1 x^2 + ...), |x| <= 1; off by 2^-56.3.
  static constexpr double erf[] = {
      0x1.06eba8214db69p-3,  -0x1.812746b037a0ap-2,  0x1.ce2f21a0445acp-4,  -0x1.b82ce313163b1p-6,
      0x1.565bcd2a092bp-8,   -0x1.c02dbad15877fp-11, 0x1.f9a449281504bp-14, -0x1.f4f42fdc13d5dp-17,
      0x1.bcbb9cec7ca24p-20, -0x1.8b8a3bdec6c28p-23, 0x1.78e2a7ec9577ep-25, -0x1.0906d6bad4c0ep-25,
      0x1.6d2f6158bb929p-26, -0x1.59aec7df13042p-27, 0x1.88171b65da9e1p-29, -0x1.91ff524cb90b9p-32,
  };
  /// sinh x = x + x^3 (c0 + c1 x^2 + ...), |x| <= 1; off by 2^-62.8.
  static constexpr double sinh[] = {
      0x1.5555555555555p-3,  0x1.1111111111198p-7,  0x1.a01a01a00637ap-13,
      0x1.71de3a6cecaefp-19, 0x1.ae6436bb50692p-26, 0x1.613de11b2542cp-33,
      0x1.966df971a9ca4p-41, 0x1.bd53245c0bd43p-46, -0x1.52561d39ed96ep-48,
  };
  /// tanh x = x + x^3 (c0 + c1 x^2 + ...), |x| <= tanhEnd; off by 2^-59.1.
  static constexpr double tanh[] = {
      -0x1.5555555555549p-2,  0x1.111111111039dp-3,  -0x1.ba1ba1b9766b8p-5,  0x1.664f4862ae48cp-6,
      -0x1.226e31ae688abp-7,  0x1.d6d344c3e1b71p-9,  -0x1.7d9c540284388p-10, 0x1.35185070b7d4bp-11,
      -0x1.f24923a51b1aep-13, 0x1.87cb491e5d0b5p-14, -0x1.19b55a14d44b4p-15, 0x1.3dc5cb04f3b39p-17,
      -0x1.8d25abcc89ba4p-20,
  };
  static constexpr double tanhEnd = 0x1.8p-1;
  /// erfc(x) e^(x^2) (x + K) = c0 + c1 t + ..., t = (x - K) / (x + K); off by 2^-54.
  static constexpr double erfcx[] = {
      0x1.18932bf08e154p0,    -0x1.f3fe31ecb49bfp-1,  0x1.8be202d26c75p-1,    -0x1.14eacb1ad0352p-1,
      0x1.52cac2370e8a9p-2,   -0x1.645fd8a4bbac7p-3,  0x1.38dbd2c95bf32p-4,   -0x1.b00c052c1cedbp-6,
      0x1.908f46cffe13ep-8,   -0x1.269b5352d7c2ap-12, -0x1.dd28212df67f7p-12, 0x1.72cdc3943458bp-13,
      -0x1.e8391053cba5ep-19, -0x1.3c7422d8444f7p-16, 0x1.3b7e660830934p-18,  0x1.7f84fc3b764c7p-20,
      -0x1.cd10da744220ap-21, -0x1.70e248bf17fdep-24, 0x1.2901a3cb6580fp-23,  0x1.064a66dcaaf6p-26,
      -0x1.92be5178a4babp-26, -0x1.7be8a1dad23afp-27, 0x1.976eca42b7f89p-30,  0x1.013080936c23cp-28,
      0x1.34dbffc21d4a9p-30,
  };
  /// Its K.
  static constexpr double erfcCentre = 0x1p2;
  /// ln 2, as a sum.
  static constexpr double ln2[] = {
      0x1.62e42fefa39efp-1,
      0x1.abc9e3b39803fp-56,
  };
  /// ln 2 so short that its product with an exponent is exact, and the rest.
  static constexpr double ln2Short[] = {
      0x1.62e42fefa3ap-1,
      -0x1.0ca86c3898dp-49,
  };
  /// log10 2, as a sum.
  static constexpr double log10Of2[] = {
      0x1.34413509f79ffp-2,
      -0x1.9dc1da994fd21p-59,
  };
  /// log2 e, as a sum.
  static constexpr double log2OfE[] = {
      0x1.71547652b82fep0,
      0x1.777d0ffda0d24p-56,
  };
  /// 2 log2 e, as a sum.
  static constexpr double twoLog2OfE[] = {
      0x1.71547652b82fep1,
      0x1.777d0ffda0d24p-55,
  };
  /// pi / 2, as a sum.
  static constexpr double halfPi[] = {
      0x1.921fb54442d18p0,
      0x1.1a62633145c06p-54,
      0x1.c1cd129024e08p-107,
  };
  /// 2 / pi, as a sum.
  static constexpr double inverseHalfPi[] = {
      0x1.45f306dc9c883p-1,
  };
  /// The c of atanh s = s + c s^3 + s^5 (c0 + c1 s^2 + ...), |s| <= 0.1716, as a sum.
  static constexpr double atanhCubic[] = {
      0x1.5555555555555p-2,
      0x1.59ae4fe9fbb8p-56,
  };
  /// The c0, c1, ... of that; off by 2^-73.9.
  static constexpr double atanhTail[] = {
      0x1.999999999998ep-3, 0x1.24924924939d1p-3, 0x1.c71c71c4bb4bep-4, 0x1.745d187a03d19p-4,
      0x1.3b1353405fddap-4, 0x1.1122aad84c3a6p-4, 0x1.ddee8e351f991p-5, 0x1.ed0c94a2b7923p-5,
  };
};

/// The bits of 2 / pi after the binary point, 32 a word: as many as the largest double needs.
inline constexpr uint32_t twoOverPi[] = {
    2734261102u, 1313084713u, 4230436817u, 4113882560u, 3680671129u, 1011060801u, 4266746795u, 3736847713u,
    3072618042u, 1112396512u, 105459434u,  164729372u,  4263373596u, 2972297022u, 3900847605u, 784024708u,
    3919343654u, 3026157121u, 965858873u,  2203269620u, 2625920907u, 3187222587u, 536385535u,  3724908559u,
    4012839307u, 1510632735u, 1832287951u, 667617719u,  1330003814u, 2657085997u, 1965537991u, 3957715323u,
    1023883767u, 2320667370u, 1811636145u, 529358088u,  1443049542u, 4235946923u, 4040145952u, 2599695901u,
};

} // namespace tegula::expandmath
