import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** What a client sends first (RFC 9113 §3.4), before its settings. */
export const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/** Types of frames (RFC 9113 §6). */
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

/** One frame as it came. */
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

/** Settings that change nothing. */
export const SETTINGS = frame(FRAME.settings, 0, 0);

export const PING = frame(FRAME.ping, 0, 0, Buffer.alloc(8));

/** Accepts the answer to a ping, which shows that the server has what was sent before it. */
export const isPong = ({ type, flags }: Frame): boolean => type === FRAME.ping && flags === ACK;

/** The head of a request without TLS in one frame: of a whole `GET`, unless fields and flags say otherwise. */
export function requestHead(
  stream: number,
  fields: Readonly<Record<string, string>>,
  flags = END_HEADERS | END_STREAM,
): Buffer {
  const all = { ":method": "GET", ":scheme": "http", ":authority": "x", ...fields };
  return frame(FRAME.headers, flags, stream, fieldBlock(all));
}

/** Fields in the plainest form of HPACK (RFC 7541 §6.2.2): literal, not indexed. */
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

/** An integer with a prefix (RFC 7541 §5.1) whose largest value is given. */
function integer(value: number, prefix: number): Buffer {
  if (value < prefix) return Buffer.from([value]);
  const bytes = [prefix];
  let rest = value - prefix;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

/** A connection of which each byte is the test's own. */
export class RawConnection {
  readonly socket: Socket;
  /** Settles when the server has closed it. */
  readonly closed: Promise<unknown>;
  #received: Buffer = Buffer.alloc(0);
  /** Frames before this place in what was received have been read. */
  #read = 0;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect({ host: hostname, port: Number(port) });
    // A server may close before it has read everything.
    this.socket.on("error", () => {});
    this.closed = new Promise((resolve) => this.socket.once("close", resolve));
    this.socket.on("data", (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
    });
  }

  /** All that has come, as text. */
  get text(): string {
    return this.#received.toString("latin1");
  }

  /** Sends bytes, and waits until the system has them. */
  async send(...parts: (string | Uint8Array)[]): Promise<void> {
    for (const part of parts) {
      if (this.socket.destroyed) return;
      await new Promise<void>((resolve) => this.socket.write(part, () => resolve()));
    }
  }

  /** Sends the preface with no settings of its own. */
  open(): Promise<void> {
    return this.send(PREFACE, SETTINGS);
  }

  /** Reads frames up to the next that is accepted; undefined if the connection closes before. */
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

/** Accepts frames of a type, on one stream if that is given. */
export const ofType =
  (type: number, stream?: number) =>
  (frame: Frame): boolean =>
    frame.type === type && (stream === undefined || frame.stream === stream);
