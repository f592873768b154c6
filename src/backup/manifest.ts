import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "../control/file/secret-file.js";
import { BackupError } from "./backup-error.js";

const MANIFEST_FILE = "manifest.json";
/** The manifest while the backup is being written. */
const DRAFT_FILE = `${MANIFEST_FILE}.incomplete`;

/** Names of files in a backup, which are those in the data directory. */
export const FILE_NAME = /^\w[\w-]*(?:\.[\w-]+)*$/;

const fileSchema = z.strictObject({
  /** Path in the data directory. */
  name: z.string().regex(FILE_NAME),
  bytes: z.number().int().min(0),
  /** SHA-256 digest, in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** Schema of {@link Manifest}. */
export const manifestSchema = z.strictObject({
  format: z.literal(1),
  /** Version of the server. */
  version: z.string(),
  /** When the backup began: it has all that was acknowledged before. RFC 3339, in UTC. */
  time: z.string(),
  files: z.array(fileSchema),
});

/** The list of the files in a backup. A directory without it is not a whole backup. */
export type Manifest = z.output<typeof manifestSchema>;
/** A file in a backup. */
export type BackupFile = z.output<typeof fileSchema>;

/** Marks a directory as an incomplete backup, until {@link writeManifest}. */
export async function beginManifest(directory: string): Promise<void> {
  await (await open(join(directory, DRAFT_FILE), "wx", 0o600)).close();
}

/** Writes the manifest, which completes a backup whose files are on disk. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  await replaceFile(join(directory, MANIFEST_FILE), join(directory, DRAFT_FILE), text);
}

/**
 * Reads the manifest of a backup.
 *
 * @throws BackupError if the directory is not a whole backup of a version that this program knows.
 */
export async function readManifest(directory: string): Promise<Manifest> {
  const manifest = await findManifest(directory);
  if (manifest !== undefined) return manifest;
  throw new BackupError(`${directory} is not a backup: it has no ${MANIFEST_FILE}`);
}

/**
 * Reads the manifest if the directory is a backup.
 *
 * @throws BackupError if it is half a backup.
 */
export async function findManifest(directory: string): Promise<Manifest | undefined> {
  if (await isThere(join(directory, DRAFT_FILE))) {
    throw new BackupError(
      `${directory} is half a backup: it was not written to its end; remove it and make another`,
    );
  }
  const path = join(directory, MANIFEST_FILE);
  if (!(await isThere(path))) return undefined;
  const { data, error } = manifestSchema.safeParse(parsed(await readFile(path, "utf8")));
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new BackupError(
    `${path} is damaged, or of another version: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
