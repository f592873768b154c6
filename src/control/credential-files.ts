import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { StoreOpenError } from "../model/store-error.js";
import { systemReason } from "../model/system-error.js";

/** A value of the configuration that is not empty, such as the path of a file. */
export const nonEmpty = z.string().min(1, "must not be empty");

/** Where relative paths start while a configuration is parsed. */
let start = ".";

/** A path of the configuration: absolute, or relative to {@link withPathsFrom}. The result is absolute. */
export const filePath = nonEmpty.transform((path) => resolve(start, path));

/** Parses a configuration, without waiting for anything, in which relative paths start from a directory. */
export function withPathsFrom<T>(directory: string, parse: () => T): T {
  start = directory;
  try {
    return parse();
  } finally {
    start = ".";
  }
}

/** The keys of a client certificate. */
interface ClientCertificate {
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** Refuses a certificate without its key, and a key without its certificate. */
export function requireBoth({ certificate, key }: ClientCertificate, context: z.RefinementCtx): void {
  const alone = (given: string, missing: string) =>
    context.addIssue({ code: "custom", message: `needs ${missing}, which is missing`, path: [given] });
  if (certificate !== undefined && key === undefined) alone("certificate", "key");
  if (key !== undefined && certificate === undefined) alone("key", "certificate");
}

/**
 * Reads a file that the configuration names, if it does.
 *
 * @param key path of the key in the configuration, such as `store.tls.ca`.
 * @throws StoreOpenError naming the key of a file that cannot be read.
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

/** Reads a password, without the line break at its end, like {@link readCredential}. */
export async function readPassword(key: string, path: string | undefined): Promise<string | undefined> {
  return (await readCredential(key, path))?.toString().replace(/\r?\n$/, "");
}
