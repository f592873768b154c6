import { isIPv6 } from "node:net";

/** A host and, perhaps, a port (RFC 9110 §7.2, RFC 3986 §3.2.2): an address in brackets, or a name or an address without. */
const HOST = /^(?:\[([^\]]*)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::(\d*))?$/i;
const FUTURE_ADDRESS = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i;
const LARGEST_PORT = 65_535;

/** Whether a text can be the value of `Host` or of `:authority`. */
export function isHost(text: string): boolean {
  const [whole, address, port = ""] = HOST.exec(text) ?? [];
  if (whole === undefined || Number(port) > LARGEST_PORT) return false;
  // An address with a zone means nothing to others (RFC 6874 §1).
  return address === undefined || (isIPv6(address) && !address.includes("%")) || FUTURE_ADDRESS.test(address);
}
