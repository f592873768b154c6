import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { createSecretFile, keptSecret } from "./secret-file.js";

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await testDirectory();
  path = join(directory, "secret");
});

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

test.each(["EPERM", "ENOTSUP", "ENOSYS"])(
  "createSecretFile creates a file once, readable only by its owner, if links fail with %s",
  async (code) => {
    await createSecretFile(path, "first\n", failing(code));
    const again = createSecretFile(path, "second\n", failing(code));
    await expect(again).rejects.toMatchObject({ code: "EEXIST" });
    expect(await readFile(path, "utf8")).toBe("first\n");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(["secret"]);
    expect(await keptSecret(path, () => "third")).toBe("first");
  },
);

test("createSecretFile fails with other errors of links, and leaves no file", async () => {
  await expect(createSecretFile(path, "s", failing("EMLINK"))).rejects.toMatchObject({ code: "EMLINK" });
  expect(await readdir(directory)).toEqual([]);
});

test("keptSecret rejects an empty file", async () => {
  await createSecretFile(path, "");
  await expect(keptSecret(path, () => "s")).rejects.toThrow(`the key file ${path} is empty`);
});
