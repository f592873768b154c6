import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { packagePath } from "../support/package-path.js";
import { test } from "../support/servers/process-fixtures.js";

const INPUTS = [
  "proto",
  "proto-test",
  "buf.yaml",
  "buf.gen.yaml",
  "buf.gen.test.yaml",
  "scripts/generate.mjs",
  "scripts/compile-assembly.mjs",
  "src/messaging-data/events/assembly",
];

test("`npm run generate` writes all code that the type check and the unit specs need", async ({
  directory,
}) => {
  for (const path of INPUTS) await cp(packagePath(path), join(directory, path), { recursive: true });
  await symlink(packagePath("node_modules"), join(directory, "node_modules"));
  await promisify(execFile)(process.execPath, [join(directory, "scripts/generate.mjs")]);
  for (const file of [
    "src/gen/waybill/integrity/v1/integrity_pb.ts",
    "src/gen/event-scanner.wasm",
    "packages/client/src/gen/waybill/integrity/v1/integrity_pb.ts",
    "src/transcoding/testing/gen/waybill/testing/v1/library_pb.ts",
  ])
    expect(existsSync(join(directory, file)), file).toBe(true);
});
