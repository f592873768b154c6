import { open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { isThere, makeDirectory, syncDirectory } from "../control/file/directories.js";
import { replaceFile } from "../control/file/secret-file.js";
import { at } from "../model/collections.js";

/** A backup cannot be created, read or restored. The message is a single line. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

const MANIFEST_FILE = "manifest.json";
/** Name of the manifest while the backup is incomplete. */
const DRAFT_FILE = `${MANIFEST_FILE}.incomplete`;

/** Matches file names in a backup. They are the same as in the data directory. */
export const FILE_NAME = /^\w[\w-]*(?:\.[\w-]+)*$/;

const fileSchema = z.strictObject({
  /** Path relative to the data directory. */
  name: z.string().regex(FILE_NAME),
  bytes: z.number().int().min(0),
  /** SHA-256 digest, in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export const manifestSchema = z.strictObject({
  format: z.literal(1),
  /** Version of the server. */
  version: z.string(),
  /**
   * Time at which the backup started, as RFC 3339 in UTC. The backup contains everything that was acknowledged before.
   */
  time: z.string(),
  files: z.array(fileSchema),
});

/** List of the files in a backup. A directory without a manifest is not a complete backup. */
export type Manifest = z.output<typeof manifestSchema>;
export type BackupFile = z.output<typeof fileSchema>;

/** Marks a directory as an incomplete backup, until {@link writeManifest} is called. */
async function beginManifest(directory: string): Promise<void> {
  await (await open(join(directory, DRAFT_FILE), "wx", 0o600)).close();
}

/** Writes the manifest, which completes the backup. All other files must already be on disk. */
async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  await replaceFile(join(directory, MANIFEST_FILE), join(directory, DRAFT_FILE), text);
}

/**
 * Reads a backup's manifest.
 *
 * @throws BackupError if the directory is not a complete backup of a known version.
 */
export async function readManifest(directory: string): Promise<Manifest> {
  const manifest = await findManifest(directory);
  if (manifest !== undefined) return manifest;
  throw new BackupError(`${directory} is not a backup: it has no ${MANIFEST_FILE}`);
}

/** Reads the manifest if the directory is a backup. @throws BackupError if the backup is incomplete. */
export async function findManifest(directory: string): Promise<Manifest | undefined> {
  if (await isThere(join(directory, DRAFT_FILE))) {
    throw new BackupError(`${directory} is an incomplete backup: remove it and make another`);
  }
  const path = join(directory, MANIFEST_FILE);
  if (!(await isThere(path))) return undefined;
  const { data, error } = manifestSchema.safeParse(parsed(await readFile(path, "utf8")));
  if (data !== undefined) return data;
  const { path: place, message } = at(error.issues, 0);
  throw new BackupError(`${path} is damaged, or from another version: ${place.join(".")} ${message}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Writes a backup to an empty directory, and the manifest at the end. If this fails, the directory is empty again.
 *
 * @param writeFiles writes the files. Resolves with the manifest when the files are on disk.
 * @throws BackupError if the directory is not empty; any error of `writeFiles`.
 */
export async function writeBackup(directory: string, writeFiles: () => Promise<Manifest>): Promise<Manifest> {
  await expectEmptyDirectory(directory);
  await beginManifest(directory);
  try {
    const manifest = await writeFiles();
    await syncDirectory(directory);
    await writeManifest(directory, manifest);
    return manifest;
  } catch (error) {
    for (const name of await readdir(directory)) await rm(join(directory, name), { recursive: true });
    throw error;
  }
}

/**
 * Creates a directory, or accepts an existing directory without files.
 *
 * @throws BackupError if the directory contains files.
 */
export async function expectEmptyDirectory(path: string): Promise<void> {
  await makeDirectory(path);
  const [name] = await readdir(path);
  if (name !== undefined)
    throw new BackupError(`${path} is not empty: it contains ${name}; use an empty directory`);
}
