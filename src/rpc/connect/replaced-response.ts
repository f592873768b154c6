import { Code, ConnectError } from "@connectrpc/connect";
import { encodeEnvelope, type UniversalServerResponse } from "@connectrpc/connect/protocol";
import { codeToHttpStatus, errorFromJsonBytes, errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { findTrailerError, setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { trailerFlag, trailerParse, trailerSerialize } from "@connectrpc/connect/protocol-grpc-web";
import { ENVELOPE_BYTES, EncodedBinary, type EncodedJson, enveloped } from "../../api/encoded-response.js";
import type { Protocol } from "../../http/request-record.js";

/**
 * Reads the error in Connect's response to a unary call with an unreadable request, because Connect reports this error
 * nowhere else. Consumes the response body.
 */
export async function readResponseError(
  { body, trailer }: UniversalServerResponse,
  protocol: Protocol,
): Promise<ConnectError> {
  const unknown = new ConnectError("it is unreadable", Code.InvalidArgument);
  const chunks: Uint8Array[] = [];
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (protocol === "connect") return errorFromJsonBytes(bytes, undefined, unknown);
  const status = protocol === "grpc" ? new Headers(trailer) : trailerParse(bytes.subarray(ENVELOPE_BYTES));
  return findTrailerError(status) ?? unknown;
}

/**
 * Replaces the error in Connect's response to a unary call, in the format that Connect uses for handler errors.
 */
export function withError(
  { status, header }: UniversalServerResponse,
  error: ConnectError,
  protocol: Protocol,
): UniversalServerResponse {
  const contentType = header?.get("content-type") ?? "";
  if (protocol === "connect") {
    const body = errorToJsonBytes(error, undefined);
    const headers = new Headers(error.metadata);
    headers.set("content-type", contentType);
    headers.set("content-length", String(body.length));
    return { status: codeToHttpStatus(error.code), header: headers, body: only(body) };
  }
  const headers = new Headers({ "content-type": contentType });
  const trailer = setTrailerStatus(new Headers(), error);
  if (protocol === "grpc") return { status, header: headers, trailer };
  return { status, header: headers, body: only(encodeEnvelope(trailerFlag, trailerSerialize(trailer))) };
}

async function* only(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}

/**
 * Replaces the empty message that Connect has encoded by a message that is already encoded.
 *
 * @param isEnveloped true if the protocol wraps messages in envelopes, like gRPC and gRPC-Web.
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
