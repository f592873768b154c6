import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { readConsoleFiles } from "./console-files.js";

let directory: string;
beforeEach(async () => {
  directory = await testDirectory();
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(directory, "assets"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
}

it("readConsoleFiles reads the page and its assets with their compressed variants", async () => {
  await write({
    "index.html": "page",
    "other.txt": "not part of it",
    "assets/a-1.js": "script",
    "assets/a-1.js.gz": "zipped script",
  });
  const files = await readConsoleFiles(directory);
  expect(files?.index).toBe("page");
  expect([...(files?.assets.keys() ?? [])]).toEqual(["a-1.js"]);
  expect(String(await files?.assets.get("a-1.js")?.compressed("gzip"))).toBe("zipped script");
});

it("readConsoleFiles returns undefined if the console has not been built", async () => {
  expect(await readConsoleFiles(join(directory, "none"))).toBeUndefined();
  await write({ "assets/a-1.js": "script" });
  expect(await readConsoleFiles(directory)).toBeUndefined();
});

it("readConsoleFiles rejects a file of an unknown media type", async () => {
  await write({ "index.html": "page", "assets/a-1.exe": "what" });
  await expect(readConsoleFiles(directory)).rejects.toThrow("the media type of a-1.exe is unknown");
});
