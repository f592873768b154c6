import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import type { EncodedJson } from "../../api/encoded-answer.js";
import { EncodedBinary, enveloped } from "../../api/encoded-answer.js";

/**
 * Replaces the empty message that Connect encoded with the bytes of a message that is encoded already.
 *
 * @param isEnveloped true if the protocol frames messages, as gRPC and gRPC-Web do.
 */
export function withEncoded(
  response: UniversalServerResponse,
  message: EncodedBinary | EncodedJson,
  isEnveloped: boolean,
): UniversalServerResponse {
  const { body, header } = response;
  if (body === undefined || body === null || !(Symbol.asyncIterator in body)) return response;
  if (!isEnveloped) {
    header?.set("content-length", String(message.bytes.length));
    return { ...response, body: replaceFirst(body, message.bytes) };
  }
  const frame = message instanceof EncodedBinary ? message.enveloped : enveloped(message.bytes);
  return { ...response, body: replaceFirst(body, frame) };
}

async function* replaceFirst(
  chunks: AsyncIterable<Uint8Array>,
  first: Uint8Array,
): AsyncGenerator<Uint8Array> {
  let replaced = false;
  for await (const chunk of chunks) {
    if (replaced) {
      yield chunk;
    } else {
      yield first;
      replaced = true;
    }
  }
}
