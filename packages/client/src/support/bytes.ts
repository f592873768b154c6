/** The byte that ends a line. */
export const NEWLINE = 0x0a;

/** Counts the line breaks in UTF-8. */
export function newlinesIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** Joins chunks. @param bytes memory of their total length. */
export function joined(
  pieces: readonly Uint8Array[],
  bytes: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
