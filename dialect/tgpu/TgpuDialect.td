//===- TgpuDialect.td - every op of the dialect, for tablegen ----------------===//
include "dialect/tgpu/TgpuOps.td"
include "dialect/tgpu/ProductOps.td"
include "dialect/tgpu/TmaOps.td"
include "dialect/tgpu/TmaStoreOps.td"
include "dialect/tgpu/ProducerOps.td"
include "dialect/tgpu/BlockOps.td"
include "dialect/tgpu/ScheduleAttrs.td"
include "dialect/tgpu/ScheduleOps.td"
