import { copyFile, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { RECORDS_FILE } from "../../../src/control/embedded/records-file.js";
import { TokenKeyRing } from "../../../src/integrity/tokens/token-keys.js";
import { systemClock } from "../../../src/model/clock.js";
import { type TemporaryDirectory, temporaryDirectory } from "../temporary-directory.js";
import { withRecords } from "./access-token.js";

/** Time for which the key signs, in milliseconds: longer than a run of the tests. */
const ROTATION_MS = 86_400_000;

/** A records file with a key for app tokens, and nothing else. */
export interface TokenKeyFile {
  readonly path: string;
  remove(): Promise<void>;
}

/** Creates a records file with a new key for app tokens, as the first start of a server does. */
export async function makeTokenKey(): Promise<TokenKeyFile> {
  const { path, remove }: TemporaryDirectory = await temporaryDirectory();
  const onRotationError = (error: unknown): never => {
    throw error;
  };
  await withRecords(path, async (records) => {
    await TokenKeyRing.open({ records, clock: systemClock, rotation: ROTATION_MS, onRotationError });
  });
  return { path: join(path, RECORDS_FILE), remove };
}

/** Creates a data directory with a key for app tokens. @param file a records file, which is copied. */
export async function createDataDirectory(dataDir: string, file: string): Promise<void> {
  await mkdir(dataDir, { mode: 0o700 });
  await copyFile(file, join(dataDir, basename(file)));
}
