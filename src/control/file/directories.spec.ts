import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { makeDirectory } from "./directories.js";

let root: string;
beforeEach(async () => {
  root = await testDirectory();
  mkdirSync(join(root, "there"), { mode: 0o750 });
  writeFileSync(join(root, "file"), "");
  symlinkSync(join(root, "gone"), join(root, "dangling"));
  symlinkSync(join(root, "there"), join(root, "link"));
});

test.each([
  ["new", 0o700],
  ["new/one/below", 0o700],
  ["link/below", 0o700],
  ["there", 0o750],
  ["link", 0o750],
])("makeDirectory creates a directory at %s with mode %o", async (name, mode) => {
  const path = join(root, name);
  // Two at a time, like two processes.
  await Promise.all([makeDirectory(path), makeDirectory(path)]);
  expect(statSync(path).mode & 0o777).toBe(mode);
  expect(statSync(path).isDirectory()).toBe(true);
});

test.each(["file", "file/below", "dangling", "dangling/below"])(
  "makeDirectory fails at %s, and names the obstacle",
  async (name) => {
    const path = join(root, name.replace("/below", ""));
    await expect(makeDirectory(join(root, name))).rejects.toMatchObject({ code: "EEXIST", path });
  },
);

test.runIf(process.platform === "linux")(
  "makeDirectory fails in a file system that cannot create directories, instead of looping forever",
  async () => {
    await expect(makeDirectory("/proc/none/below")).rejects.toMatchObject({
      code: "ENOENT",
      path: "/proc/none",
    });
  },
);
