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

export interface AdminAccess {
  /** Accepted values of `Host`, without the port, in addition to the names of this machine. */
  readonly hosts: readonly string[];
  /** Token for {@link GUARDED_PATHS}. */
  readonly token: string;
}

export const BACKUP_PATH = "/backup";
export const CLOCK_PATH = "/clock";
export const MIRROR_PATH = "/mirror";

/** Paths that read or change data. Requests to them, and to all paths below them, need the token. */
const GUARDED_PATHS = [BACKUP_PATH, CLOCK_PATH, MIRROR_PATH];
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8);
LOOPBACK.addAddress("::1", "ipv6");
const BEARER = /^Bearer +(\S+)$/i;

/** Creates a function that checks a request head. It returns the reason to reject the request, if any. */
export function adminGuard({ hosts, token }: AdminAccess): (head: RequestHead) => ApiError | undefined {
  const allowed = new Set(hosts.map((host) => host.toLowerCase()));
  const expected = digestOf(token);
  return (head) => {
    // An HTTP/1.0 request may have no host. Web pages cannot send such a request.
    const host = hostOfRequest(head);
    if (host !== undefined && !isOwnHost(host) && !allowed.has(host)) return hostNotAllowed(host);
    const { path } = splitRequestTarget(head.target);
    if (!GUARDED_PATHS.some((guarded) => `${path}/`.startsWith(`${guarded}/`))) return undefined;
    const authorization = authorizationOf(head);
    if (authorization === undefined) return adminTokenMissing();
    const sent = BEARER.exec(authorization)?.[1];
    return sent !== undefined && timingSafeEqual(digestOf(sent), expected) ? undefined : adminTokenInvalid();
  };
}

/**
 * Returns true if a host name always refers to this machine. Other names that resolve to this machine are rejected,
 * because of DNS rebinding.
 */
function isOwnHost(host: string): boolean {
  const address = /^\[(.*)\]$/.exec(host)?.[1] ?? host;
  return host === "localhost" || LOOPBACK.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** Digests have equal lengths, which the comparison in constant time needs. */
const digestOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/** The request is for another host (421). */
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
      "The request has no admin token. Send the token from the file admin-token in the server's data directory as `Authorization: Bearer <token>`.",
    headers: challenge(),
  });

/** The request has a wrong token (401). */
const adminTokenInvalid = (): ApiError =>
  new ApiError({
    code: Code.UNAUTHENTICATED,
    reason: "ADMIN_TOKEN_INVALID",
    message:
      "The token is not the server's admin token. Send the token from the file admin-token in its data directory, or from admin.tokenFile.",
    headers: challenge({ error: "invalid_token", error_description: "The token is not the admin token" }),
  });

/** Config keys that determine the admin token. */
type AdminTokenConfig = Pick<Config, "dataDir" | "admin">;

export const adminTokenFile = ({ dataDir, admin }: AdminTokenConfig): string =>
  admin.tokenFile ?? join(dataDir, "admin-token");

/**
 * Returns the admin token. The first start creates the token, unless `admin.tokenFile` is set.
 *
 * @throws ConfigError if the file `admin.tokenFile` has no token.
 * @throws KeyError if the token in the data directory can neither be read nor created.
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
