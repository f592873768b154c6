import { copyFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PATIENCE_MS } from "../../../test/support/poll.js";
import { testDirectory } from "../../../test/support/test-directory.js";
import { readTlsMaterial, type TlsMaterial, TlsWatch } from "./tls.js";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../test/fixtures/tls/${name}`, import.meta.url));

let directory: string;
let files: { readonly certificate: string; readonly key: string };
let used: TlsMaterial[];
let log: string[];
let watch: TlsWatch | undefined;
beforeEach(async () => {
  directory = await testDirectory();
  files = { certificate: join(directory, "cert.pem"), key: join(directory, "cert.key") };
  await install("server");
  used = [];
  log = [];
});
afterEach(() => watch?.close());

async function startWatch(checkMs?: number): Promise<TlsWatch> {
  const logger = pino({}, { write: (line: string) => log.push(line) });
  const material = await readTlsMaterial(files);
  watch = new TlsWatch({ files, material, use: (next) => used.push(next), logger }, checkMs);
  return watch;
}

async function install(name: string): Promise<void> {
  await copyFile(fixture(`${name}.pem`), files.certificate);
  await copyFile(fixture(`${name}.key`), files.key);
}

test("TlsWatch reloads changed files once", async () => {
  const watched = await startWatch(1);
  await watched.check();
  expect(used).toEqual([]);
  await install("other");
  await vi.waitUntil(() => used.length > 0, { timeout: PATIENCE_MS });
  await watched.check();
  expect(used).toEqual([await readTlsMaterial(files)]);
});

test("TlsWatch logs unusable files once, and keeps using the previous files", async () => {
  const watched = await startWatch();
  await writeFile(files.key, "not a key");
  await watched.check();
  await watched.check();
  const errors = (): string[] => log.filter((line) => line.includes("tls.key"));
  expect([used, errors().length]).toEqual([[], 1]);
  await install("server");
  await watched.check();
  expect(used).toEqual([]);
  await rm(files.key);
  await watched.check();
  expect(errors()).toHaveLength(2);
  await install("other");
  await watched.check();
  expect(used).toHaveLength(1);
});
