import type { IncomingMessage } from "node:http";

/** Addresses of this machine, as a socket reports them. */
const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/i;
/** Headers that a browser or a proxy adds: the caller is then not a program on this machine. */
const FOREIGN_HEADERS = ["origin", "sec-fetch-site", "forwarded", "x-forwarded-for", "via"] as const;

/** Returns true if a program on this machine sent the request itself. */
export const isFromOwnMachine = ({ headers, socket }: IncomingMessage): boolean =>
  !FOREIGN_HEADERS.some((name) => headers[name] !== undefined) && LOOPBACK.test(socket.remoteAddress ?? "");
