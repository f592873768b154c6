/** The names of this machine that only it can reach, as they stand in URLs. */
const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"] as const;

/** Whether a host of a URL is this machine. */
export const isLoopback = (host: string): boolean => LOOPBACK_HOSTS.some((name) => name === host);

/**
 * An address that browsers on this machine can open: a listener that listens on all addresses names none of them.
 *
 * @param url Such as `http://0.0.0.0:8081`.
 */
export const reachableUrl = (url: string): string =>
  url.replace("://0.0.0.0:", "://127.0.0.1:").replace("://[::]:", "://[::1]:");

/** The same by a host that a Content Security Policy can name: its grammar has no addresses of IPv6 (CSP3 §2.3.1). */
export const namedUrl = (url: string): string =>
  reachableUrl(url).replace(/^(\w+:\/\/)\[::1\](?=[:/]|$)/, "$1localhost");

/** The origins by which browsers may have opened an address; of this machine, with each of its names. */
export function originsOf(url: string): string[] {
  const { origin, protocol, hostname, port } = new URL(reachableUrl(url));
  if (!isLoopback(hostname)) return [origin];
  return LOOPBACK_HOSTS.map((name) => new URL(`${protocol}//${name}:${port}`).origin);
}
