/** Loopback hosts in URL syntax. */
const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"] as const;

/** Returns true if a URL's host is this machine. */
export const isLoopback = (host: string): boolean => LOOPBACK_HOSTS.some((name) => name === host);

/**
 * Replaces a wildcard address with a loopback address that browsers on this machine can open.
 *
 * @param url Such as `http://0.0.0.0:8081`.
 */
export const reachableUrl = (url: string): string =>
  url.replace("://0.0.0.0:", "://127.0.0.1:").replace("://[::]:", "://[::1]:");

/**
 * Returns the {@link reachableUrl} with a host that a Content Security Policy can name. Its grammar lacks IPv6
 * addresses (CSP3 §2.3.1).
 */
export const namedUrl = (url: string): string =>
  reachableUrl(url).replace(/^(\w+:\/\/)\[::1\](?=[:/]|$)/, "$1localhost");

/** Returns the possible origins of a page at this address. A loopback address has an origin for each loopback name. */
export function originsOf(url: string): string[] {
  const { origin, protocol, hostname, port } = new URL(reachableUrl(url));
  if (!isLoopback(hostname)) return [origin];
  return LOOPBACK_HOSTS.map((name) => new URL(`${protocol}//${name}:${port}`).origin);
}
