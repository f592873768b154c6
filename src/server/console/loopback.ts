/** Hosts in URLs that refer to this machine. */
const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"] as const;

/** Returns true if a URL's host is this machine. */
export const isLoopback = (host: string): boolean => LOOPBACK_HOSTS.some((name) => name === host);

/**
 * Replaces a wildcard address in a URL with a loopback address, which browsers on this machine can open.
 *
 * @param url base address, such as `http://0.0.0.0:8081`.
 */
export const reachableUrl = (url: string): string =>
  url.replace("://0.0.0.0:", "://127.0.0.1:").replace("://[::]:", "://[::1]:");

/**
 * Returns the {@link reachableUrl}, with a host that a Content Security Policy can contain. CSP does not support IPv6
 * addresses (CSP3 §2.3.1).
 */
export const namedUrl = (url: string): string =>
  reachableUrl(url).replace(/^(\w+:\/\/)\[::1\](?=[:/]|$)/, "$1localhost");

/**
 * Returns all origins that a page at this address can have. A loopback address has an origin for each name of the
 * loopback host.
 */
export function originsOf(url: string): string[] {
  const { origin, protocol, hostname, port } = new URL(reachableUrl(url));
  if (!isLoopback(hostname)) return [origin];
  return LOOPBACK_HOSTS.map((name) => new URL(`${protocol}//${name}:${port}`).origin);
}
