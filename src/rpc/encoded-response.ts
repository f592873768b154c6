import type { UniversalServerResponse } from "@connectrpc/connect/protocol";

/** Bytes before each message of gRPC and gRPC-Web: flags and length. */
const ENVELOPE_BYTES = 5;

/**
 * Puts the bytes of a message that was encoded before in the place of the empty message that Connect made.
 *
 * @param enveloped whether the protocol frames messages, as gRPC and gRPC-Web do.
 */
export function withEncoded(
  response: UniversalServerResponse,
  message: Uint8Array,
  enveloped: boolean,
): UniversalServerResponse {
  const { body, header } = response;
  if (body === undefined || body === null || !(Symbol.asyncIterator in body)) return response;
  if (!enveloped) header?.set("content-length", String(message.length));
  return { ...response, body: replaceFirst(body, enveloped ? [envelopeOf(message), message] : [message]) };
}

function envelopeOf(message: Uint8Array): Uint8Array {
  const envelope = Buffer.alloc(ENVELOPE_BYTES);
  envelope.writeUInt32BE(message.length, 1);
  return envelope;
}

async function* replaceFirst(
  chunks: AsyncIterable<Uint8Array>,
  first: readonly Uint8Array[],
): AsyncGenerator<Uint8Array> {
  let replaced = false;
  for await (const chunk of chunks) {
    if (replaced) {
      yield chunk;
    } else {
      yield* first;
      replaced = true;
    }
  }
}
