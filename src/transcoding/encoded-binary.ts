/** The binary form of a message, encoded once and sent as often as it is asked for. */
export class EncodedBinary {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}
