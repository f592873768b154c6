import type { StatsFs } from "node:fs";
import { expect, it } from "vitest";
import { spaceFinding } from "./local-checks.js";

/** A file system of 100 GiB. */
const disk = (freePercent: number): StatsFs => {
  const [bsize, blocks] = [4096, (100 * 2 ** 30) / 4096];
  const free = (blocks * freePercent) / 100;
  return { type: 0, bsize, blocks, bfree: free, bavail: free, files: 0, ffree: 0 };
};
const remedy = "free disk space, or shorten messagingData.retention";

it.each([
  [50, { state: "ok", detail: "50.0 GiB free, 50 % of the disk" }],
  [14, { state: "warning", detail: "14.0 GiB free, 14 % of the disk", remedy }],
  [2, { state: "failed", detail: "2.0 GiB free, 2 % of the disk", remedy }],
])("spaceFinding finds for a disk that is %i %% free: %o", (percent, finding) => {
  expect(spaceFinding(disk(percent))).toEqual({ subject: "disk", ...finding });
});
