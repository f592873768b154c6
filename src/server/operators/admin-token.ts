import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { keptSecret } from "../../control/file/secret-file.js";
import { systemReason } from "../../model/system-error.js";
import { ConfigError } from "../config/config-error.js";
import type { Config } from "../config/config-schema.js";

/** The keys of the configuration that determine the admin token. */
export type AdminTokenConfig = Pick<Config, "dataDir" | "admin">;

/** The file with the admin token of a server. */
export const adminTokenFile = ({ dataDir, admin }: AdminTokenConfig): string =>
  admin.tokenFile ?? join(dataDir, "admin-token");

/**
 * Returns the token that the admin listener accepts. The first start makes it, unless the configuration names a file.
 *
 * @throws ConfigError if the named file has no token; KeyError if the one of the data directory can be neither read nor
 * made.
 */
export async function openAdminToken(config: AdminTokenConfig): Promise<string> {
  const file = adminTokenFile(config);
  if (config.admin.tokenFile === undefined) {
    return keptSecret(file, () => randomBytes(32).toString("base64url"));
  }
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new ConfigError(
      `admin.tokenFile: ${file} cannot be read: ${systemReason(cause) ?? String(cause)}`,
      {
        cause,
      },
    );
  });
  const token = text.trim();
  if (/^[!-~]{16,}$/.test(token)) return token;
  throw new ConfigError(`admin.tokenFile: ${file} must contain a token of at least 16 printable characters`);
}
