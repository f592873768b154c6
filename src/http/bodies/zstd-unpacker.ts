import { Duplex } from "node:stream";
import { SideThread } from "../side-thread.js";
import { decompressionBusy } from "./request-body.js";

/** Messages from the main thread to the decompression thread, with the stream number. */
export type ToUnpacker = { readonly stream: number } & (
  | { readonly open: true; readonly caller: string }
  | { readonly packed: Uint8Array }
  | { readonly end: true }
  | { readonly blocksRead: number }
  | { readonly cancel: true }
);

/** Messages from the decompression thread to the main thread, with the stream number. */
export type FromUnpacker = { readonly stream: number } & (
  | { readonly packedTaken: true }
  | { readonly block: Uint8Array }
  | { readonly end: true }
  | { readonly error: string; readonly isBusy: boolean }
);

/** Decompresses zstd streams on a separate thread, to keep the event loop free. */
export class ZstdUnpacker {
  readonly #decoders = new Map<number, ZstdDecoder>();
  readonly #thread = new SideThread<ToUnpacker, FromUnpacker>({
    module: new URL("./zstd-unpacker-thread.js", import.meta.url),
    receive: (message) => this.#decoders.get(message.stream)?.receive(message),
    fail: (error) => {
      for (const decoder of this.#decoders.values()) decoder.lose(error);
    },
  });
  #nextStream = 1;

  /**
   * Creates a stream that decompresses one body.
   *
   * @param caller the caller's budget key. Each caller has a limit on window memory. A body above this limit fails with
   * an ApiError `DECOMPRESSION_BUSY`.
   */
  decoder(caller: string): Duplex {
    const stream = this.#nextStream++;
    const decoder = new ZstdDecoder(stream, {
      send: (message, transfer) => this.#thread.send(message, transfer),
      closed: () => this.#decoders.delete(stream),
    });
    this.#decoders.set(stream, decoder);
    this.#thread.send({ stream, open: true, caller });
    return decoder;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

interface Link {
  readonly send: (message: ToUnpacker, transfer?: ArrayBuffer[]) => void;
  readonly closed: () => void;
}

type Done = (error?: Error | null) => void;

/** The main thread's side of one stream. The decompression thread paces the input, and the reader paces the output. */
class ZstdDecoder extends Duplex {
  readonly #stream: number;
  readonly #link: Link;
  #writeDone: Done | undefined;
  #blocks = 0;
  #ended = false;

  constructor(stream: number, link: Link) {
    super({ decodeStrings: true });
    this.#stream = stream;
    this.#link = link;
  }

  receive(message: FromUnpacker): void {
    if (this.destroyed) return;
    if ("block" in message) {
      const { buffer, byteOffset, byteLength } = message.block;
      this.#blocks++;
      this.push(Buffer.from(buffer, byteOffset, byteLength));
    } else if ("packedTaken" in message) {
      const done = this.#writeDone;
      this.#writeDone = undefined;
      done?.();
    } else if ("end" in message) {
      this.#ended = true;
      this.push(null);
    } else {
      this.#ended = true;
      this.destroy(message.isBusy ? decompressionBusy() : new Error(message.error));
    }
  }

  /** Fails the stream because the decompression thread has died. */
  lose(error: Error): void {
    this.#ended = true;
    this.destroy(error);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#writeDone = done;
    const packed = new Uint8Array(chunk);
    this.#link.send({ stream: this.#stream, packed }, [packed.buffer]);
  }

  override _final(done: Done): void {
    this.#link.send({ stream: this.#stream, end: true });
    done();
  }

  override _read(): void {
    if (this.#blocks === 0) return;
    this.#link.send({ stream: this.#stream, blocksRead: this.#blocks });
    this.#blocks = 0;
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#link.closed();
    if (!this.#ended) this.#link.send({ stream: this.#stream, cancel: true });
    done(error);
  }
}
