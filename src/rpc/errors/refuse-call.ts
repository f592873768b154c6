import type { ApiError } from "../../api/api-error.js";
import { handOver } from "../../http/answers/hand-over.js";
import { type Exchange, sendError } from "../../http/answers/reply.js";
import { protocolOf } from "../call-form.js";
import { connectError } from "./connect-error.js";
import { grpcStatus } from "./grpc-status.js";

/** Refuses a request that no handler can answer: as gRPC if it looks like gRPC, otherwise as JSON. */
export function refuseCall<A>(exchange: Exchange<A>, error: ApiError, errorDomain: string): void {
  const { request, response, record } = exchange;
  const contentType = request.headers["content-type"];
  if (protocolOf(request) === "connect" || contentType === undefined) {
    sendError(exchange, error, errorDomain);
    return;
  }
  response.setHeader("content-type", contentType);
  for (const [name, value] of grpcStatus(connectError(error, errorDomain))) response.setHeader(name, value);
  // Ends the stream with its headers: only then do clients read them as trailers.
  handOver(response, undefined, record.share);
}
