/* Two processes that tune one kernel together: what one cannot do is told to both, and both get the same
 * config. */
#define _POSIX_C_SOURCE 200809L
#include "Check.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const kernelText = "import triton\n"
                                      "import triton.language as tl\n"
                                      "@triton.autotune([triton.Config({'BLOCK': 32}, num_warps=1), "
                                      "triton.Config({'BLOCK': 64}, num_warps=2)], key=[])\n"
                                      "@triton.jit\n"
                                      "def count(launches, out, BLOCK: tl.constexpr):\n"
                                      "    tl.atomic_add(launches, 1, scope=\"sys\")\n"
                                      "    tl.store(out + tl.arange(0, BLOCK), 1)\n";

enum { world = 2, most = 1 << 16 };

typedef struct peer {
  uint32_t rank;
  int socket;
  int asked;
  unsigned char answer[most];
} peer;

static bool moved(ssize_t (*move)(int, void *, size_t), int socket, void *at, size_t bytes) {
  for (char *p = at; bytes;) {
    const ssize_t done = move(socket, p, bytes);
    if (done <= 0)
      return false;
    p += done;
    bytes -= (size_t)done;
  }
  return true;
}
static ssize_t sends(int socket, void *from, size_t bytes) { return send(socket, from, bytes, MSG_NOSIGNAL); }

/* Sends one's own offer with its length in front, takes the other's. */
static bool agree(void *context, const char *key, const void *offer, size_t bytes, const void **answer,
                  size_t *answerBytes) {
  peer *self = context;
  ++self->asked;
  CHECK(key[0] && bytes + 8 < most / 2);
  unsigned char own[most], theirs[most];
  for (int i = 0; i < 8; ++i)
    own[i] = (unsigned char)((uint64_t)bytes >> (8 * i));
  memcpy(own + 8, offer, bytes);
  uint64_t length = 0;
  if (moved(sends, self->socket, own, bytes + 8) && moved(read, self->socket, theirs, 8)) {
    for (int i = 8; i-- > 0;)
      length = length << 8 | theirs[i];
    if (length + 8 < most / 2 && moved(read, self->socket, theirs + 8, length)) {
      const size_t first = (self->rank ? length : bytes) + 8, second = (self->rank ? bytes : length) + 8;
      memcpy(self->answer, self->rank ? theirs : own, first);
      memcpy(self->answer + first, self->rank ? own : theirs, second);
      *answer = self->answer;
      *answerBytes = first + second;
      return true;
    }
  }
  static const char message[] = "the other rank has gone";
  *answer = message;
  *answerBytes = sizeof message - 1;
  return false;
}

static void oneBlock(void *context, const tegula_kernel *configured, uint32_t sides[3]) {
  int64_t block = 0;
  CHECK(tegula_kernel_constant(configured, "BLOCK", &block) && (block == 32 || block == 64));
  CHECK(!tegula_kernel_constant(configured, "out", &block));
  sides[0] = *(const uint32_t *)context;
}

/* Tunes; tells the other rank the config and how often the kernel was launched, and compares. */
static void tuneAs(uint32_t rank, int socket) {
  static peer self;
  self.rank = rank;
  self.socket = socket;
  OK(tegula_set_agreement(rank, world, agree, &self));
  tegula_device *device = emulator();
  tegula_kernel *kernel = kernelOf(kernelText, NULL);
  const int32_t zero = 0;
  int32_t own[2] = {-1, -1}, theirs[2];
  uint64_t launches = 0, out = 0;
  OK(tegula_device_allocate(device, sizeof zero, &launches));
  OK(tegula_device_allocate(device, 64 * sizeof zero, &out));
  OK(tegula_device_upload(device, launches, &zero, sizeof zero));
  const tegula_argument arguments[] = {pointerTo(launches, TEGULA_I32), pointerTo(out, TEGULA_I32)};
  size_t config = 9;
  uint32_t blocks = 1;
  OK(tegula_kernel_tune(kernel, device, oneBlock, &blocks, arguments, 2, &config));
  CHECK(self.asked >= 6); /* configs, compiled, and two for each config */
  own[0] = (int32_t)config;
  OK(tegula_device_download(device, &own[1], launches, sizeof own[1]));
  CHECK(own[1] >= 10);
  CHECK(moved(sends, socket, own, sizeof own) && moved(read, socket, theirs, sizeof theirs));
  CHECK(memcmp(own, theirs, sizeof own) == 0); /* in lockstep: as often on both */
  if (rank == 1)
    return; /* it ends, and leaves the other alone */
  char gone;
  CHECK(read(socket, &gone, 1) == 0);
  FAILS(tegula_kernel_tune(kernel, device, oneBlock, &blocks, arguments, 2, &config), TEGULA_INVALID_ARGUMENT,
        "the other rank has gone");
  OK(tegula_set_agreement(0, 0, NULL, NULL));
  OK(tegula_kernel_tune(kernel, device, oneBlock, &blocks, arguments, 2, &config));
  CHECK(config < 2);
  blocks = 0;
  FAILS(tegula_kernel_tune(kernel, device, oneBlock, &blocks, arguments, 2, &config), TEGULA_INVALID_ARGUMENT,
        "the grid of config 0 is empty");

  size_t count = 0;
  tegula_kernel *configured = NULL;
  OK(tegula_kernel_config_count(kernel, &count));
  CHECK(count == 2);
  OK(tegula_kernel_with_config(kernel, 1, &configured));
  int64_t block = 0;
  CHECK(tegula_kernel_constant(configured, "BLOCK", &block) && block == 64);
  FAILS(tegula_kernel_with_config(kernel, 2, &configured), TEGULA_INVALID_ARGUMENT,
        "kernel `count` has 2 configs, from 0 to 1, found 2");
  tegula_kernel_free(configured);
  tegula_kernel_free(kernel);
  tegula_device_close(device);
}

void testAgreements(void) {
  FAILS(tegula_set_agreement(2, 2, agree, NULL), TEGULA_INVALID_ARGUMENT, "expected a rank below 2, found 2");
  CHECK(tegula_ptx_communicates("fence.acq_rel.sys;\n") && !tegula_ptx_communicates("ret;\n"));
  CHECK(!tegula_ptx_communicates(NULL));
  int ends[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  alarm(120); /* no wait of this test is for ever */
  const pid_t child = fork();
  CHECK(child >= 0);
  close(ends[child == 0 ? 0 : 1]);
  tuneAs(child == 0 ? 1 : 0, ends[child == 0 ? 1 : 0]);
  if (child == 0)
    exit(0);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  alarm(0);
}
