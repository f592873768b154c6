const NEWLINE = 0x0a;

/** Bytes of a segment: so many that handing it over costs little, so few that an import is spread over the workers. */
const SEGMENT_BYTES = 512 * 1024;

/**
 * Joins chunks that are cut anywhere to segments of whole lines, each in memory of its own. Of a line that is longer than
 * `maxLineBytes` no more is kept than shows that it is.
 */
export async function* lineSegments(
  body: AsyncIterable<Buffer>,
  maxLineBytes: number,
  segmentBytes = SEGMENT_BYTES,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let pieces: Buffer[] = [];
  let size = 0;
  /** How many of the bytes are of the last line, whose end has not come. */
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
      // Two bytes for a line break; more would not tell more.
      const piece = chunk.subarray(0, maxLineBytes + 2 - open);
      add(piece);
      open += piece.length;
    }
  }
  if (size > 0) yield take();
}
