import { NEWLINE, newlinesIn } from "../support/bytes.js";

/** Additional memory of a batch in bytes, because its last line usually ends after the request size. */
const LINE_BYTES = 4096;

/** First memory of a batch, in bytes. It grows with the batch. */
const FIRST_BYTES = 64 * 1024;

const NO_MEMORY = new ArrayBuffer(0);

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
 * @param source chunks. A chunk's memory may change when the next one is requested.
 * @param free memory for the next batches. The caller may add the memory of batches that it no longer needs. New memory
 * would have to be cleared, and collected later.
 */
export async function* batchesOf(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  size: number,
  free: ArrayBuffer[] = [],
): AsyncGenerator<Batch> {
  let memory = new Uint8Array(NO_MEMORY);
  let held = 0;
  let firstLine = 1;
  let nextLine = 1;
  const add = (piece: Uint8Array): void => {
    if (held === 0) {
      const spare = free.pop() ?? NO_MEMORY;
      // A `fetch` of the caller may have transferred the memory.
      memory = new Uint8Array(spare.byteLength === 0 ? NO_MEMORY : spare);
    }
    const needed = held + piece.length;
    if (needed > memory.length) {
      const usual = size + LINE_BYTES;
      const doubled = Math.max(needed, FIRST_BYTES, 2 * memory.length);
      const larger = new Uint8Array(new ArrayBuffer(needed > usual ? doubled : Math.min(doubled, usual)));
      larger.set(memory.subarray(0, held));
      memory = larger;
    }
    memory.set(piece, held);
    held = needed;
    nextLine += newlinesIn(piece);
  };
  for await (const chunk of source) {
    let rest = chunk;
    while (rest.length > 0) {
      const end = rest.indexOf(NEWLINE, Math.max(0, size - held - 1)) + 1;
      const piece = end > 0 ? rest.subarray(0, end) : rest;
      add(piece);
      rest = rest.subarray(piece.length);
      if (end > 0) {
        yield { bytes: memory.subarray(0, held), firstLine };
        firstLine = nextLine;
        held = 0;
      }
    }
  }
  if (held > 0) yield { bytes: memory.subarray(0, held), firstLine };
}
