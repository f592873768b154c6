import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { BlockList, isIPv6 } from "node:net";
import { join } from "node:path";
import { ApiError } from "../../api/api-error.js";
import { challenge } from "../../auth/auth-errors.js";
import { keptSecret } from "../../control/file/secret-file.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import {
  authorizationOf,
  hostOfRequest,
  type RequestHead,
  splitRequestTarget,
} from "../../http/request-head.js";
import { excerpt } from "../../limits/excerpt.js";
import { systemReason } from "../../model/system-error.js";
import type { Config } from "../config/config-schema.js";
import { ConfigError } from "../config/config-values.js";

/** Who may use the admin listener. */
export interface AdminAccess {
  /** Values of `Host` without port, besides those of this machine. */
  readonly hosts: readonly string[];
  /** The token for everything that reads data or changes something: {@link GUARDED_PATHS}. */
  readonly token: string;
}

export const BACKUP_PATH = "/backup";
export const CLOCK_PATH = "/clock";
export const MIRROR_PATH = "/mirror";

/** Paths that need the token, with all paths below them. */
const GUARDED_PATHS = [BACKUP_PATH, CLOCK_PATH, MIRROR_PATH];
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8);
LOOPBACK.addAddress("::1", "ipv6");
const BEARER = /^Bearer +(\S+)$/i;

/** Makes a function that finds the reason to reject a request with a valid head, if there is one. */
export function adminGuard({ hosts, token }: AdminAccess): (head: RequestHead) => ApiError | undefined {
  const allowed = new Set(hosts.map((host) => host.toLowerCase()));
  const expected = digestOf(token);
  return (head) => {
    // Without a host (HTTP/1.0), there is no name that could be a foreign one.
    const host = hostOfRequest(head);
    if (host !== undefined && !isOwnHost(host) && !allowed.has(host)) return hostNotAllowed(host);
    const { path } = splitRequestTarget(head.target);
    if (!GUARDED_PATHS.some((guarded) => `${path}/`.startsWith(`${guarded}/`))) return undefined;
    const authorization = authorizationOf(head);
    if (authorization === undefined) return adminTokenMissing();
    const given = BEARER.exec(authorization)?.[1];
    return given !== undefined && timingSafeEqual(digestOf(given), expected)
      ? undefined
      : adminTokenInvalid();
  };
}

/** The names of this machine. A page of another name with DNS records of this machine is not among them. */
function isOwnHost(host: string): boolean {
  const address = /^\[(.*)\]$/.exec(host)?.[1] ?? host;
  return host === "localhost" || LOOPBACK.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** Digests have the same length, which the comparison needs. */
const digestOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/** The request is for a host that is not one of the admin listener (421). */
const hostNotAllowed = (host: string): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    httpStatus: 421,
    reason: "HOST_NOT_ALLOWED",
    message: `The admin listener does not serve the host ${excerpt(host)}. Use localhost, or add the host to admin.hosts in the configuration.`,
    metadata: { host: excerpt(host) },
  });

/** The request has no admin token (401). */
const adminTokenMissing = (): ApiError =>
  new ApiError({
    code: Code.UNAUTHENTICATED,
    reason: "ADMIN_TOKEN_MISSING",
    message:
      "The request has no admin token. Send the content of the file admin-token in the server's data directory as `Authorization: Bearer <token>`.",
    headers: challenge(),
  });

/** The request has another token than the admin token (401). */
const adminTokenInvalid = (): ApiError =>
  new ApiError({
    code: Code.UNAUTHENTICATED,
    reason: "ADMIN_TOKEN_INVALID",
    message:
      "The token is not the server's admin token. Send the content of the file admin-token in its data directory, or of admin.tokenFile.",
    headers: challenge({ error: "invalid_token", error_description: "The token is not the admin token" }),
  });

/** The keys of the configuration that determine the admin token. */
type AdminTokenConfig = Pick<Config, "dataDir" | "admin">;

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
