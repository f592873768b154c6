import { onTestFinished } from "vitest";
import { temporaryDirectory } from "./temporary-directory.js";

/** Creates a directory for the current test. It is removed when the test has finished. */
export async function testDirectory(): Promise<string> {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  return path;
}
