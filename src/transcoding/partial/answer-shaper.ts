import { SideThread } from "../../http/side-thread.js";
import { type AnswerShape, shapeBytes } from "./answer-shape.js";

/** What the main thread asks of the one that shapes answers. */
export interface ToShaper {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly shape: AnswerShape;
}

/** What that answers. */
export interface FromShaper {
  readonly id: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Answers up to this size are shaped at once, in about a millisecond. */
const MOST_AT_ONCE_BYTES = 32 * 1024;

/** Of the thread: several times what the largest answer takes that is parsed and made anew. */
const HEAP_MIB = 256;

interface Waiter {
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Brings encoded answers into a shape: large ones one after the other on a thread of their own, so that neither the parsing nor
 * the memory that it leaves behind holds up other calls.
 */
export class AnswerShaper {
  readonly #waiters = new Map<number, Waiter>();
  readonly #thread = new SideThread<ToShaper, FromShaper>({
    module: new URL("./answer-shaper-thread.js", import.meta.url),
    heapMib: HEAP_MIB,
    receive: ({ id, bytes }) => {
      this.#waiters.get(id)?.resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
      this.#waiters.delete(id);
    },
    fail: (failure) => {
      for (const { reject } of this.#waiters.values()) reject(failure);
      this.#waiters.clear();
    },
  });
  #nextId = 1;

  /** Whether to shape so many bytes takes long. */
  isLarge(bytes: number): boolean {
    return bytes > MOST_AT_ONCE_BYTES;
  }

  async shape(bytes: Uint8Array, shape: AnswerShape): Promise<Buffer> {
    if (!this.isLarge(bytes.length)) return Buffer.from(shapeBytes(bytes, shape));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiters.set(id, { resolve, reject });
      this.#thread.send({ id, bytes, shape });
    });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
