import { LRUCache } from "lru-cache";
import { EncodedJson } from "../../api/encoded-response.js";
import { SideThread } from "../../http/side-thread.js";
import { type ResponseShape, shapeBytes } from "./response-shape.js";

export interface ToShaper {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly shape: ResponseShape;
}

export interface FromShaper {
  readonly id: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** From `tagOf`, because hashing large bytes is slow, too. */
  readonly tag: string;
}

/** Maximum size of a response that is shaped immediately, in about a millisecond. */
const MAX_AT_ONCE_BYTES = 32 * 1024;

/** Maximum size of cached shaped responses, in bytes: the largest page, indented and compressed. */
const MAX_CACHE_BYTES = 24 * 1024 * 1024;

/** The thread's heap size: several times the memory for the largest response. */
const HEAP_MIB = 256;

interface Waiter {
  readonly resolve: (shaped: EncodedJson) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Shapes encoded responses. Large ones are shaped one after another on a separate thread, so that neither parsing nor
 * garbage collection delays other calls. The results are cached, because many clients repeat their requests.
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
  readonly #shaped = new LRUCache<string, EncodedJson>({
    maxSize: MAX_CACHE_BYTES,
    // Compressed forms are included. They are created on demand, and are less than half as large.
    sizeCalculation: ({ bytes }, key) => Math.ceil(1.5 * bytes.length) + key.length,
  });
  readonly #ongoing = new Map<string, Promise<EncodedJson>>();
  /** Numbers that identify responses in {@link #shaped}. */
  readonly #numbers = new WeakMap<EncodedJson, number>();
  #nextId = 1;

  /**
   * Shapes a response.
   *
   * @param waitForSlot called before a large response is shaped, but not for a cached result.
   */
  async shape(
    response: EncodedJson,
    shape: ResponseShape,
    waitForSlot: () => Promise<void>,
  ): Promise<EncodedJson> {
    const { bytes } = response;
    if (bytes.length <= MAX_AT_ONCE_BYTES) return new EncodedJson(Buffer.from(shapeBytes(bytes, shape)));
    const key = `${this.#numberOf(response)} ${shape.key}`;
    const cached = this.#shaped.get(key);
    if (cached !== undefined) return cached;
    await waitForSlot();
    // While this call waited, another call may have shaped the response.
    return this.#shaped.get(key) ?? this.#shapeOnce(key, bytes, shape);
  }

  /** Shapes a response on the thread. Simultaneous calls share the result. */
  #shapeOnce(key: string, bytes: Uint8Array, shape: ResponseShape): Promise<EncodedJson> {
    const ongoing = this.#ongoing.get(key);
    if (ongoing !== undefined) return ongoing;
    const shaping = this.#shapeOnThread(bytes, shape)
      .then((shaped) => {
        this.#shaped.set(key, shaped);
        return shaped;
      })
      .finally(() => this.#ongoing.delete(key));
    this.#ongoing.set(key, shaping);
    return shaping;
  }

  #numberOf(response: EncodedJson): number {
    const number = this.#numbers.get(response) ?? this.#nextId++;
    this.#numbers.set(response, number);
    return number;
  }

  #shapeOnThread(bytes: Uint8Array, shape: ResponseShape): Promise<EncodedJson> {
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
