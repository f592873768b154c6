import { readFile } from "node:fs/promises";
import { z } from "zod";
import { StoreOpenError } from "../model/store-error.js";
import { systemReason } from "../model/system-error.js";

/** A value of the configuration that is not empty, such as the path of a file. */
export const nonEmpty = z.string().min(1, "must not be empty");

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
