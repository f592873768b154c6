import type { IncomingMessage, ServerResponse } from "node:http";
import { createContextValues } from "@connectrpc/connect";
import type {
  UniversalHandler,
  UniversalServerRequest,
  UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import { universalRequestFromNodeRequest } from "@connectrpc/connect-node";
import { httpStatusOf } from "../transcoding/api-error.js";
import { protocolOf } from "./call-form.js";
import { connectError } from "./connect-error.js";
import { withEncoded } from "./encoded-response.js";
import { RPC_CALL, type RpcCall } from "./rpc-call.js";
import { asApiError } from "./rpc-error.js";
import { writeResponse } from "./write-response.js";

/** Has Connect answer a call. @returns the HTTP status that stands for the outcome. */
export async function answerByConnect<A>(
  request: IncomingMessage,
  response: ServerResponse,
  call: RpcCall<A>,
  handler: UniversalHandler,
  errorDomain: string,
): Promise<number> {
  const values = createContextValues().set(RPC_CALL, call);
  const universal = universalRequestFromNodeRequest(request, response, undefined, values);
  const answer = await handler(onceAdmitted(universal, call, errorDomain));
  const { encoded } = call;
  const enveloped = protocolOf(request) !== "connect";
  const sent = encoded === undefined ? answer : withEncoded(answer, encoded, enveloped);
  const whole = await writeResponse(response, sent);
  return whole ? (call.error?.httpStatus ?? statusOf(answer)) : 499;
}

/** The request with a body that is read once it is known who calls, and fails if that caller may not. */
function onceAdmitted<A>(
  request: UniversalServerRequest,
  call: RpcCall<A>,
  errorDomain: string,
): UniversalServerRequest {
  async function* admitted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      await call.admission;
    } catch (cause) {
      call.error = asApiError(cause, call.requestId);
      throw connectError(call.error, errorDomain);
    }
    yield* body;
  }
  return { ...request, body: admitted(request.body as AsyncIterable<Uint8Array>) };
}

/** The HTTP status that stands for what Connect answered without any of our handlers. */
function statusOf({ status, header, trailer }: UniversalServerResponse): number {
  const code = Number(trailer?.get("grpc-status") ?? header?.get("grpc-status") ?? 0);
  return code === 0 ? status : httpStatusOf(code);
}
