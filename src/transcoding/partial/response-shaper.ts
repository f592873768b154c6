import { EncodedJson } from "../../api/encoded-response.js";
import { SideThread } from "../../http/side-thread.js";
import { type ResponseShape, shapeBytes } from "./response-shape.js";

/** A request to the shaping thread. */
export interface ToShaper {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly shape: ResponseShape;
}

/** A response of the shaping thread. */
export interface FromShaper {
  readonly id: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** From `tagOf`, because hashing large bytes is slow, too. */
  readonly tag: string;
}

/** Maximum size of a response that is shaped immediately, in about a millisecond. */
const MAX_AT_ONCE_BYTES = 32 * 1024;

/** The thread's heap size: several times the memory for the largest response. */
const HEAP_MIB = 256;

interface Waiter {
  readonly resolve: (shaped: EncodedJson) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Shapes encoded responses. Large ones are shaped one after another on a separate thread, so that neither parsing nor
 * garbage collection delays other calls.
 */
export class ResponseShaper {
  readonly #waiters = new Map<number, Waiter>();
  readonly #thread = new SideThread<ToShaper, FromShaper>({
    module: new URL("./response-shaper-thread.js", import.meta.url),
    heapMib: HEAP_MIB,
    receive: ({ id, bytes, tag }) => {
      const { buffer, byteOffset, length } = bytes;
      this.#waiters.get(id)?.resolve(new EncodedJson(Buffer.from(buffer, byteOffset, length), { tag }));
      this.#waiters.delete(id);
    },
    fail: (error) => {
      for (const { reject } of this.#waiters.values()) reject(error);
      this.#waiters.clear();
    },
  });
  #nextId = 1;

  /** Returns true if shaping that many bytes is slow. */
  isLarge(bytes: number): boolean {
    return bytes > MAX_AT_ONCE_BYTES;
  }

  async shape(bytes: Uint8Array, shape: ResponseShape): Promise<EncodedJson> {
    if (!this.isLarge(bytes.length)) return new EncodedJson(Buffer.from(shapeBytes(bytes, shape)));
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
