import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { systemProblem, systemReason } from "./system-error.js";

const listenError = (host: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", resolve);
    server.listen(0, host, () => reject(new Error(`${host} is an address of this machine`)));
  });

it.each<[string, () => Promise<unknown>, RegExp]>([
  [
    "a missing file",
    () => readFile("/nowhere/a").catch((error: unknown) => error),
    /^\/nowhere\/a: there is no such file or directory$/,
  ],
  [
    "an address of another machine",
    () => listenError("192.0.2.1"),
    /^192\.0\.2\.1(:\d+)?: this machine does not have the address$/,
  ],
  [
    "a full disk without a path",
    async () => Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }),
    /^the disk is full$/,
  ],
  [
    "a file without permission",
    async () => Object.assign(new Error("EACCES: permission denied, open"), { code: "EACCES", path: "/a" }),
    /^\/a: permission denied$/,
  ],
])("systemReason describes %s in words", async (_name, failure, problem) => {
  expect(systemProblem(await failure())).toMatch(problem);
});

it.each([undefined, null, "ENOENT", new Error("ENOENT"), { code: "toString" }, { code: 17 }])(
  "systemReason returns undefined for %s",
  (error) => {
    expect([systemProblem(error), systemReason(error)]).toEqual([undefined, undefined]);
  },
);
