import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { temporaryDirectory } from "./temporary-directory.js";

/** Creates a directory for the current test. It is removed when the test has finished. */
export async function testDirectory(): Promise<string> {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  return path;
}

/** Creates a directory for all tests of a file or a `describe`, which calls this outside tests. */
export function fileDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "waybill-test-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
