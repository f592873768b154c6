import { Code, ConnectError } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { endStreamFromJson, errorFromJsonBytes } from "@connectrpc/connect/protocol-connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import { trailerParse } from "@connectrpc/connect/protocol-grpc-web";
import { ENVELOPE_BYTES } from "../../api/encoded-answer.js";
import type { Protocol } from "../../http/outcome.js";

/** Reads the error from Connect's response to a call. This consumes the body of the response. */
export async function connectProblem(
  { body, trailer }: UniversalServerResponse,
  { method: { methodKind } }: UniversalHandler,
  protocol: Protocol,
): Promise<ConnectError> {
  const unknown = new ConnectError("it cannot be read", Code.InvalidArgument);
  const chunks: Uint8Array[] = [];
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const payload = bytes.subarray(ENVELOPE_BYTES);
  if (protocol === "grpc") return findTrailerError(new Headers(trailer)) ?? unknown;
  if (protocol === "grpc-web") return findTrailerError(trailerParse(payload)) ?? unknown;
  if (methodKind === "unary") return errorFromJsonBytes(bytes, undefined, unknown);
  return endStreamFromJson(payload).error ?? unknown;
}
