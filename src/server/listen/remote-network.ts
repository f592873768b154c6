import { isIPv6, type Socket } from "node:net";

/** Groups of an IPv6 address that name a network; whoever has one of its addresses has all of them (RFC 6177 §2). */
const NETWORK_GROUPS = 4;

/**
 * Whom a connection is counted for: the IPv4 address, or the /64 network of an IPv6 address, in which one client chooses
 * its addresses freely. Empty if the connection has ended already.
 */
export function remoteNetwork({ remoteAddress = "" }: Pick<Socket, "remoteAddress">): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(remoteAddress) ?? [];
  if (mapped !== undefined) return mapped;
  return isIPv6(remoteAddress)
    ? `${groupsOf(remoteAddress).slice(0, NETWORK_GROUPS).join(":")}::/64`
    : remoteAddress;
}

/** The eight groups of an address, of which `::` leaves some out that are zero (RFC 4291 §2.2). */
function groupsOf(address: string): string[] {
  const [head = "", tail = ""] = address.toLowerCase().split("::");
  const split = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const before = split(head);
  const after = split(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  return [...before, ...zeros, ...after];
}
