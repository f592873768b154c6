import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Connection preface of a client (RFC 9113 §3.4), sent before its settings. */
export const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/** Frame types (RFC 9113 §6). */
export const FRAME = {
  data: 0,
  headers: 1,
  resetStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const END_STREAM = 1;
export const ACK = 1;
export const END_HEADERS = 4;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** An empty SETTINGS frame. */
export const SETTINGS = frame(FRAME.settings, 0, 0);

export const PING = frame(FRAME.ping, 0, 0, Buffer.alloc(8));

/** Matches the response to a ping, which proves that the server has received everything before it. */
export const isPong = ({ type, flags }: Frame): boolean => type === FRAME.ping && flags === ACK;

/** A request head without TLS in one frame; by default, of a complete `GET`. */
export function requestHead(
  stream: number,
  fields: Readonly<Record<string, string>>,
  flags = END_HEADERS | END_STREAM,
): Buffer {
  const all = { ":method": "GET", ":scheme": "http", ":authority": "x", ...fields };
  return frame(FRAME.headers, flags, stream, fieldBlock(all));
}

/** Encodes fields in the simplest HPACK representation (RFC 7541 §6.2.2): literal, without indexing. */
export function fieldBlock(fields: Readonly<Record<string, string>>): Buffer {
  const texts = Object.entries(fields).flatMap(([name, value]) => [
    Buffer.from([0]),
    literal(name),
    literal(value),
  ]);
  return Buffer.concat(texts);
}

function literal(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([integer(bytes.length, 127), bytes]);
}

/** Encodes an integer in HPACK (RFC 7541 §5.1). @param prefix maximum value of the prefix. */
function integer(value: number, prefix: number): Buffer {
  if (value < prefix) return Buffer.from([value]);
  const bytes = [prefix];
  let rest = value - prefix;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

/** A connection on which the test controls every byte. */
export class RawConnection {
  readonly socket: Socket;
  /** Resolves when the connection has closed. */
  readonly closed: Promise<unknown>;
  #received: Buffer = Buffer.alloc(0);
  /** Offset in the received bytes of the first unread frame. */
  #read = 0;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect({ host: hostname, port: Number(port) });
    // The server may close the connection before it has read everything.
    this.socket.on("error", () => {});
    this.closed = new Promise((resolve) => this.socket.once("close", resolve));
    this.socket.on("data", (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
    });
  }

  /** All received bytes as text. */
  get text(): string {
    return this.#received.toString("latin1");
  }

  /** Sends bytes, and waits until the system has accepted them. */
  async send(...parts: (string | Uint8Array)[]): Promise<void> {
    for (const part of parts) {
      if (this.socket.destroyed) return;
      await new Promise<void>((resolve) => this.socket.write(part, () => resolve()));
    }
  }

  /** Sends the preface and empty settings. */
  open(): Promise<void> {
    return this.send(PREFACE, SETTINGS);
  }

  /** Reads frames until one is accepted; undefined if the connection closes first. */
  async next(accept: (frame: Frame) => boolean): Promise<Frame | undefined> {
    for (;;) {
      const found = this.#take();
      if (found === undefined) {
        if (this.socket.destroyed) return undefined;
        await Promise.race([once(this.socket, "data").catch(() => {}), this.closed]);
      } else if (accept(found)) {
        return found;
      }
    }
  }

  #take(): Frame | undefined {
    const bytes = this.#received.subarray(this.#read);
    if (bytes.length < 9) return undefined;
    const end = 9 + bytes.readUIntBE(0, 3);
    if (bytes.length < end) return undefined;
    this.#read += end;
    return {
      type: bytes.readUInt8(3),
      flags: bytes.readUInt8(4),
      stream: bytes.readUInt32BE(5),
      payload: bytes.subarray(9, end),
    };
  }
}

/** Matches frames of a type, optionally of one stream. */
export const ofType =
  (type: number, stream?: number) =>
  (frame: Frame): boolean =>
    frame.type === type && (stream === undefined || frame.stream === stream);
