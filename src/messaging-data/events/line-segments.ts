const NEWLINE = 0x0a;

/**
 * Size of a segment, in bytes: large enough to make the transfer cheap, small enough to spread an import over
 * the workers.
 */
const SEGMENT_BYTES = 512 * 1024;

/**
 * Joins chunks with arbitrary boundaries to segments of complete lines, each in its own memory. Of a line
 * longer than `maxLineBytes`, keeps only as much as shows that it is too long.
 */
export async function* lineSegments(
  body: AsyncIterable<Buffer>,
  maxLineBytes: number,
  segmentBytes = SEGMENT_BYTES,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let pieces: Buffer[] = [];
  let size = 0;
  /** Number of bytes that belong to the last line, whose end has not arrived. */
  let open = 0;
  const add = (piece: Buffer): void => {
    pieces.push(piece);
    size += piece.length;
  };
  const take = (): Uint8Array<ArrayBuffer> => {
    const segment = new Uint8Array(size);
    let at = 0;
    for (const piece of pieces) {
      segment.set(piece, at);
      at += piece.length;
    }
    pieces = [];
    size = 0;
    return segment;
  };
  for await (const chunk of body) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0 && size + end >= segmentBytes) {
      add(chunk.subarray(0, end));
      yield take();
      add(chunk.subarray(end));
      open = chunk.length - end;
    } else if (end > 0) {
      add(chunk);
      open = chunk.length - end;
    } else if (open < maxLineBytes + 2) {
      // The two extra bytes are for a line break; further ones would add no information.
      const piece = chunk.subarray(0, maxLineBytes + 2 - open);
      add(piece);
      open += piece.length;
    }
  }
  if (size > 0) yield take();
}
