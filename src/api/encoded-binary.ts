/** Bytes that stand before a message of gRPC and gRPC-Web: flags and length. */
export const ENVELOPE_BYTES = 5;

/** The binary form of a message, encoded once and sent as often as it is asked for. */
export class EncodedBinary {
  /** The message in the envelope that gRPC sends it in: without flags, as it is not compressed. */
  readonly enveloped: Buffer;

  constructor(bytes: Uint8Array) {
    this.enveloped = enveloped(bytes);
  }

  /** The message alone. */
  get bytes(): Uint8Array {
    return this.enveloped.subarray(ENVELOPE_BYTES);
  }
}

/** Puts a message into its envelope. */
export function enveloped(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(ENVELOPE_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, ENVELOPE_BYTES);
  return frame;
}
