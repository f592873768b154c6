import { parentPort } from "node:worker_threads";
import { Budget } from "../../limits/budget.js";
import { MAX_ALL_ZSTD_WINDOWS_BYTES, MAX_ZSTD_WINDOWS_BYTES } from "../../limits/request-limits.js";
import { decodeZstd, ZstdBusyError } from "./zstd.js";
import type { FromUnpacker, ToUnpacker } from "./zstd-unpacker.js";

if (parentPort === null) throw new Error("this module must run in a worker thread");
const port = parentPort;
const send = (message: FromUnpacker, transfer: ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer);

/** Maximum number of decompressed blocks of one stream that its reader has not read yet. */
const MAX_BLOCKS_UNDER_WAY = 4;

const windows = new Budget({ total: MAX_ALL_ZSTD_WINDOWS_BYTES, each: MAX_ZSTD_WINDOWS_BYTES });
const streams = new Map<number, PackedStream>();

port.on("message", (message: ToUnpacker) => {
  const { stream: number } = message;
  if ("open" in message) {
    const stream = new PackedStream(number);
    streams.set(number, stream);
    void unpack(number, stream, message.caller).finally(() => streams.delete(number));
    return;
  }
  const stream = streams.get(number);
  if ("packed" in message) stream?.add(message.packed);
  else if ("end" in message) stream?.end();
  else if ("blocksRead" in message) stream?.read(message.blocksRead);
  else stream?.cancel();
});

async function unpack(number: number, stream: PackedStream, caller: string): Promise<void> {
  const { signal } = stream;
  const takeWindow = (bytes: number) => windows.take(caller, bytes);
  try {
    for await (const block of decodeZstd(stream.chunks(), { signal, takeWindow })) {
      const copy = new Uint8Array(block);
      send({ stream: number, block: copy }, [copy.buffer]);
      await stream.hasRoom();
    }
    send({ stream: number, end: true });
  } catch (error) {
    if (signal.aborted) return;
    send({ stream: number, error: (error as Error).message, isBusy: error instanceof ZstdBusyError });
  }
}

/** Compressed input of one stream, as the main thread sends it. */
class PackedStream {
  readonly #number: number;
  readonly #controller = new AbortController();
  readonly #packed: Uint8Array[] = [];
  #ended = false;
  #underWay = 0;
  /** Ends the current wait for compressed bytes or for the reader. */
  #wake = (): void => {};

  constructor(number: number) {
    this.#number = number;
  }

  /** Aborts when the main thread cancels the stream. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  add(packed: Uint8Array): void {
    this.#packed.push(packed);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  read(blocks: number): void {
    this.#underWay -= blocks;
    this.#wake();
  }

  cancel(): void {
    this.#controller.abort(new Error("the stream was cancelled"));
    this.#wake();
  }

  /** Yields the compressed chunks. Requesting the next chunk acknowledges the previous one. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      await this.#until(() => this.#packed.length > 0 || this.#ended);
      const chunk = this.#packed.shift();
      if (chunk === undefined) return;
      yield chunk;
      send({ stream: this.#number, packedTaken: true });
    }
  }

  /** Counts a decompressed block. Resolves when the stream may produce another block. */
  async hasRoom(): Promise<void> {
    this.#underWay++;
    await this.#until(() => this.#underWay < MAX_BLOCKS_UNDER_WAY);
  }

  /** Waits for a condition. @throws the abort reason of {@link signal}. */
  async #until(condition: () => boolean): Promise<void> {
    while (!condition() && !this.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.signal.throwIfAborted();
  }
}
