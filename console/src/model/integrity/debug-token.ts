import type { DebugTokenJson } from "#src/gen/waybill/integrity/v1/integrity_pb.js";

/** Maximum number of debug tokens of an app. */
export const MAX_DEBUG_TOKENS = 20;
/** Maximum length of a debug token's name, in characters. */
export const MAX_TOKEN_NAME = 100;

/** A debug token, without its secret. */
export interface DebugToken {
  readonly name: string;
  readonly displayName: string;
  /** Last change, in milliseconds since the Unix epoch. */
  readonly updateTime: number;
}

export const debugTokenOf = ({
  name = "",
  displayName = "",
  updateTime = "",
}: DebugTokenJson): DebugToken => ({ name, displayName, updateTime: Date.parse(updateTime) });

/** Sorts debug tokens by display name. */
export const byDisplayName = (a: DebugToken, b: DebugToken): number =>
  a.displayName.localeCompare(b.displayName, "en") || (a.name < b.name ? -1 : 1);

/**
 * Makes a secret for a debug token: a random UUID (RFC 9562 §5.4). `crypto.randomUUID` exists on secure origins only, and the
 * console also works over plain HTTP.
 */
export function newDebugSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, "0");
  }).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
