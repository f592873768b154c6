import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { StoreOpenError } from "../model/store-error.js";
import { systemReason } from "../model/system-error.js";

/** Schema of a config value that must not be empty, such as a path. */
export const nonEmpty = z.string().min(1, "must not be empty");

/** Directory to which relative paths refer while a config is parsed. */
let start = ".";

/**
 * Schema of a path in the config: absolute, or relative to the directory of {@link withPathsFrom}. The result is
 * absolute.
 */
export const filePath = nonEmpty.meta({ title: "path" }).transform((path) => resolve(start, path));

/** Parses a config in which relative paths refer to a directory. `parse` must be synchronous. */
export function withPathsFrom<T>(directory: string, parse: () => T): T {
  start = directory;
  try {
    return parse();
  } finally {
    start = ".";
  }
}

interface ClientCertificate {
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** Checks that a certificate and its key are either both set or both omitted. */
export function requireBoth({ certificate, key }: ClientCertificate, context: z.RefinementCtx): void {
  const alone = (set: string, missing: string) =>
    context.addIssue({ code: "custom", message: `needs ${missing}, which is missing`, path: [set] });
  if (certificate !== undefined && key === undefined) alone("certificate", "key");
  if (key !== undefined && certificate === undefined) alone("key", "certificate");
}

/**
 * Reads a credential file, if the config names one.
 *
 * @param key path of the config key, such as `store.tls.ca`.
 * @throws StoreOpenError with the config key if the file cannot be read.
 */
export async function readCredential(key: string, path: string | undefined): Promise<Buffer | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path);
  } catch (cause) {
    throw new StoreOpenError(`${key}: ${path} cannot be read: ${systemReason(cause) ?? String(cause)}`, {
      cause,
    });
  }
}

/** Reads a password file like {@link readCredential}, without the trailing line break. */
export async function readPassword(key: string, path: string | undefined): Promise<string | undefined> {
  return (await readCredential(key, path))?.toString().replace(/\r?\n$/, "");
}
