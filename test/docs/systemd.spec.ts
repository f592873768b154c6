import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { need } from "../support/needs.js";
import { packagePath } from "../support/package-path.js";
import { testDirectory } from "../support/test-directory.js";

need("systemd");

const UNIT = packagePath("deploy/systemd/waybill.service");
/** Maximum exposure of the unit, in tenths: `systemd-analyze security` rates units from 0.0 (best) to 10.0. */
const MAX_EXPOSURE = 20;

test("the systemd unit is valid", async () => {
  const path = await testDirectory();
  const unit = join(path, "waybill.service");
  writeFileSync(unit, readFileSync(UNIT, "utf8").replaceAll("/opt/waybill", packagePath(".")));
  expect(execFileSync("systemd-analyze", ["verify", unit], { encoding: "utf8", stdio: "pipe" })).toBe("");
});

test("the systemd unit has an exposure of at most 2.0", () => {
  const args = ["security", "--offline=true", `--threshold=${MAX_EXPOSURE}`, UNIT];
  const report = execFileSync("systemd-analyze", args, { encoding: "utf8", stdio: "pipe" });
  expect(report).toContain("Overall exposure level for waybill.service");
});
