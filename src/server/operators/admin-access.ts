import { createHash, timingSafeEqual } from "node:crypto";
import { BlockList, isIPv6 } from "node:net";
import type { ApiError } from "../../api/api-error.js";
import {
  authorizationOf,
  hostOfRequest,
  type RequestHead,
  splitRequestTarget,
} from "../../http/request-head.js";
import { adminTokenInvalid, adminTokenMissing, hostNotAllowed } from "./admin-errors.js";
import { BACKUP_PATH } from "./backup-route.js";
import { CLOCK_PATH } from "./clock-routes.js";
import { MIRROR_PATH } from "./mirror/mirror-route.js";

/** Who may use the admin listener. */
export interface AdminAccess {
  /** Values of `Host` without port, besides those of this machine. */
  readonly hosts: readonly string[];
  /** The token for everything that reads data or changes something: {@link GUARDED_PATHS}. */
  readonly token: string;
}

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
