export interface PercentDecoding {
  /** True to decode `+` as a space. */
  readonly plus?: boolean;
  /** True to keep escaped slashes. */
  readonly keepSlash?: boolean;
}

/**
 * Decodes percent-escapes in a text with one character for each byte. @returns undefined if an escape is
 * malformed, or the bytes are not UTF-8.
 */
export function expectedDecoding(
  raw: string,
  { plus = false, keepSlash = false }: PercentDecoding,
): string | undefined {
  const bytes: number[] = [];
  for (let at = 0; at < raw.length; at++) {
    const character = raw.charAt(at);
    if (character === "+" && plus) bytes.push(0x20);
    else if (character !== "%") bytes.push(character.charCodeAt(0));
    else {
      const hex = raw.slice(at + 1, at + 3);
      if (!/^[0-9a-fA-F]{2}$/.test(hex)) return undefined;
      if (keepSlash && hex.toLowerCase() === "2f") bytes.push(...Buffer.from(`%${hex}`));
      else bytes.push(Number.parseInt(hex, 16));
      at += 2;
    }
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes));
  } catch {
    return undefined;
  }
}
