import type { IncomingMessage, ServerResponse } from "node:http";
import { createContextValues } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { universalRequestFromNodeRequest } from "@connectrpc/connect-node";
import { abortable } from "@waybill/client/support";
import { httpStatusOf } from "../../api/api-error.js";
import { deadlineExceeded, requestAborted } from "../../api/errors.js";
import { openRawBody } from "../../http/bodies/request-body.js";
import { isGone } from "../../http/peer.js";
import { checkAccepted, protocolOf } from "../call-form.js";
import { abortAfter, readTimeout } from "../deadline.js";
import { grpcMessage } from "../errors/connect-error.js";
import { streamExpired } from "../open/open-streams.js";
import { RPC_CALL, type RpcCall } from "../rpc-call.js";
import { readResponseError, withEncoded, withError } from "./replaced-response.js";
import { writeResponse } from "./write-response.js";

export interface ConnectCallOptions {
  readonly handler: UniversalHandler;
  /** Maximum duration of a call, in milliseconds. */
  readonly lifetime?: number;
}

/** Handles a call with Connect. @returns the outcome's HTTP status, or its equivalent. */
export async function respondByConnect<A>(
  request: IncomingMessage,
  response: ServerResponse,
  call: RpcCall<A>,
  { handler, lifetime }: ConnectCallOptions,
): Promise<number> {
  const { record } = call;
  const protocol = protocolOf(request);
  const ended = new AbortController();
  const values = createContextValues().set(RPC_CALL, call);
  const universal = universalRequestFromNodeRequest(request, response, undefined, values);
  universal.signal.addEventListener("abort", () => ended.abort(requestAborted(universal.signal.reason)));
  if (isGone(response)) ended.abort(requestAborted());
  const timeout = readTimeout(protocol, (name) => universal.header.get(name));
  // This function applies a valid deadline, and Connect reports a malformed one.
  if (timeout.error === undefined) universal.header.delete(timeout.header);
  const stopTimers = [
    abortAfter(ended, timeout.milliseconds, deadlineExceeded),
    abortAfter(ended, lifetime, streamExpired),
  ];
  // Connect must not compress its responses, because the code below reads errors from them and inserts encoded
  // messages.
  for (const name of ACCEPTED_CODINGS) universal.header.delete(name);

  /** The request body. It is read only after the caller was authenticated. */
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      await abortable(call.admission, ended.signal);
      const bytes = openRawBody(request);
      ended.signal.addEventListener("abort", () => bytes.destroy(ended.signal.reason));
      yield* bytes;
    } catch (cause) {
      throw call.fail(cause);
    }
  }

  try {
    let result = await handler({ ...universal, body: body(), signal: ended.signal });
    checkAccepted(result, handler, request);
    if (!call.begun && record.error === undefined) {
      // If Connect has found an error in the request, this server's error message replaces Connect's.
      const error = call.fail(await readResponseError(result, protocol));
      result = withError(result, error, protocol);
    }
    const message = result.trailer?.get("grpc-message");
    if (message) result.trailer?.set("grpc-message", grpcMessage(decodeURIComponent(message)));
    const { encoded, release } = call;
    const isEnveloped = protocol !== "connect" || handler.method.methodKind !== "unary";
    const sent = encoded === undefined ? result : withEncoded(result, encoded, isEnveloped);
    const isWhole = await writeResponse(request, response, sent, { share: record.share, held: release });
    return isWhole ? (record.error?.httpStatus ?? statusOf(result)) : 499;
  } finally {
    call.release?.();
    record.share.end();
    for (const stop of stopTimers) stop();
    // Stops all readers of the request.
    ended.abort(requestAborted());
  }
}

const ACCEPTED_CODINGS = ["accept-encoding", "grpc-accept-encoding", "connect-accept-encoding"];

/** Returns the HTTP status of Connect's response, or its equivalent. */
function statusOf({ status, header, trailer }: UniversalServerResponse): number {
  const code = Number(trailer?.get("grpc-status") ?? header?.get("grpc-status") ?? 0);
  return code === 0 ? status : httpStatusOf(code);
}
