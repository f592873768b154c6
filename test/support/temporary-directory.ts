import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new directory, with a function to remove it. */
export interface TemporaryDirectory {
  readonly path: string;
  remove(): Promise<void>;
}

/** Creates a directory for one test or one test file. */
export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), "waybill-test-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
