import { joined, NEWLINE, newlinesIn } from "../support/bytes.js";

/** Additional memory of a batch, because the next one may have a longer last line. */
const LINE_BYTES = 4096;

/** The lines of one request. */
export interface Batch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Number of the batch's first line in the whole stream, from 1. */
  readonly firstLine: number;
}

/**
 * Splits a stream of bytes into batches of whole lines. A batch ends at the first line break that brings it
 * to `size` bytes or more. Holds one batch in memory.
 *
 * @param free memory for the next batches. The caller may add the memory of batches that it no longer needs. New memory
 * would have to be cleared, and collected later.
 */
export async function* batchesOf(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  size: number,
  free: ArrayBuffer[] = [],
): AsyncGenerator<Batch> {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let firstLine = 1;
  let nextLine = 1;
  const join = (): Uint8Array<ArrayBuffer> => {
    const memory = free.pop();
    // All batches but the last one are slightly larger than `size`.
    const isEnough = memory !== undefined && memory.byteLength >= held;
    return joined(pieces, new Uint8Array(isEnough ? memory : new ArrayBuffer(held + LINE_BYTES), 0, held));
  };
  for await (const chunk of source) {
    let rest = chunk;
    while (rest.length > 0) {
      const end = rest.indexOf(NEWLINE, Math.max(0, size - held - 1)) + 1;
      const piece = end > 0 ? rest.subarray(0, end) : rest;
      nextLine += newlinesIn(piece);
      pieces.push(piece);
      held += piece.length;
      rest = rest.subarray(piece.length);
      if (end > 0) {
        yield { bytes: join(), firstLine };
        firstLine = nextLine;
        pieces = [];
        held = 0;
      }
    }
  }
  if (held > 0) yield { bytes: join(), firstLine };
}
