import type { IncomingMessage, ServerResponse } from "node:http";
import { type ConnectError, createContextValues } from "@connectrpc/connect";
import type {
  UniversalHandler,
  UniversalServerRequest,
  UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import { universalRequestFromNodeRequest } from "@connectrpc/connect-node";
import { httpStatusOf } from "../api/api-error.js";
import { deadlineExceeded, requestAborted } from "../api/http-errors.js";
import { orAborted } from "../api/or-aborted.js";
import { openRawBody } from "../http/bodies/request-body.js";
import { isGone } from "../http/http2.js";
import type { Release } from "../limits/budget.js";
import { checkAccepted, protocolOf } from "./call-form.js";
import { abortAfter, readTimeout } from "./deadline.js";
import { withEncoded } from "./encoded-response.js";
import { connectError } from "./errors/connect-error.js";
import { connectProblem } from "./errors/connect-problem.js";
import { grpcMessage } from "./errors/grpc-status.js";
import { rpcError } from "./errors/rpc-error.js";
import { streamTooOld } from "./open/open-streams.js";
import { RPC_CALL, type RpcCall } from "./rpc-call.js";
import { writeResponse } from "./write-response.js";

/** Options for the calls of one method. */
export interface ConnectCallOptions {
  readonly handler: UniversalHandler;
  readonly errorDomain: string;
  /** Longest duration of a call, in milliseconds. */
  readonly lifetime?: number;
}

/** Answers a call by Connect. @returns the HTTP status that stands for the outcome. */
export async function answerByConnect<A>(
  request: IncomingMessage,
  response: ServerResponse,
  call: RpcCall<A>,
  { handler, errorDomain, lifetime }: ConnectCallOptions,
): Promise<number> {
  const { record } = call;
  const { requestId, share } = record;
  const protocol = protocolOf(request);
  const ended = new AbortController();
  const values = createContextValues().set(RPC_CALL, call);
  const universal = universalRequestFromNodeRequest(request, response, undefined, values);
  universal.signal.addEventListener("abort", () => ended.abort(requestAborted(universal.signal.reason)));
  if (isGone(response)) ended.abort(requestAborted());
  const timeout = readTimeout(protocol, (name) => universal.header.get(name));
  // This function keeps a valid deadline itself; Connect reports a malformed one.
  if (timeout.error === undefined) universal.header.delete(timeout.header);
  const stopTimers = [
    abortAfter(ended, timeout.milliseconds, deadlineExceeded),
    abortAfter(ended, lifetime, streamTooOld),
  ];
  // Connect must not compress its responses: the code below reads errors from them, and inserts encoded
  // messages.
  for (const name of ACCEPTED_CODINGS) universal.header.delete(name);

  /** The body, which is read only after the caller is authenticated. */
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      await orAborted(ended.signal, call.admission);
      const bytes = openRawBody(request);
      ended.signal.addEventListener("abort", () => bytes.destroy(ended.signal.reason));
      yield* bytes;
    } catch (cause) {
      record.error = rpcError(cause, requestId);
      throw connectError(record.error, errorDomain);
    }
  }

  try {
    let answer = await handler({ ...universal, body: body(), signal: ended.signal });
    checkAccepted(answer, handler, request);
    if (!call.begun && record.error === undefined) {
      // The request did not reach a handler: reports Connect's error in the server's own form.
      const problem = await connectProblem(answer, handler, protocol);
      record.error = rpcError(problem, requestId);
      answer = await handler(failing(universal, call, connectError(record.error, errorDomain)));
    }
    let held: Release | undefined;
    try {
      if (call.encoded !== undefined) {
        held = await share.holdAnswer(call.encoded.bytes, () => ended.signal);
      }
    } catch (cause) {
      call.encoded = undefined;
      record.error = rpcError(cause, requestId);
      answer = await handler(failing(universal, call, connectError(record.error, errorDomain)));
    }
    const { encoded } = call;
    const { error } = record;
    if (error !== undefined && protocol === "grpc") {
      answer.trailer?.set("grpc-message", grpcMessage(connectError(error, errorDomain).rawMessage));
    }
    const isEnveloped = protocol !== "connect";
    const sent = encoded === undefined ? answer : withEncoded(answer, encoded, isEnveloped);
    const whole = await writeResponse(request, response, sent, { share, held });
    return whole ? (record.error?.httpStatus ?? statusOf(answer)) : 499;
  } finally {
    share.end();
    for (const stop of stopTimers) stop();
    // Stops everything that waits for more of the request.
    ended.abort(requestAborted());
  }
}

const ACCEPTED_CODINGS = ["accept-encoding", "grpc-accept-encoding", "connect-accept-encoding"];

/** Makes a request that Connect answers with an error, in the protocol of the call. */
function failing<A>(
  { header, ...universal }: UniversalServerRequest,
  { format }: RpcCall<A>,
  error: ConnectError,
): UniversalServerRequest {
  const contentType =
    header.get("content-type") ?? (format === "json" ? "application/json" : "application/proto");
  return {
    ...universal,
    method: "POST",
    header: new Headers({ "content-type": contentType }),
    body: { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) },
  };
}

/** The HTTP status that stands for the response of Connect. */
function statusOf({ status, header, trailer }: UniversalServerResponse): number {
  const code = Number(trailer?.get("grpc-status") ?? header?.get("grpc-status") ?? 0);
  return code === 0 ? status : httpStatusOf(code);
}
