import type { Readable } from "node:stream";
import { type DescMethod, isFieldSet, type Message } from "@bufbuild/protobuf";
import { EncodedBinary, EncodedJson } from "../api/encoded-response.js";
import { NO_PRECONDITIONS } from "../api/preconditions.js";
import type { Handler } from "../api/service.js";
import { HandlerContext } from "../api/service.js";
import { bodyMissing, requiredBody } from "../transcoding/endpoint.js";
import { httpBindings } from "../transcoding/http-rule.js";
import { messageNameReader } from "../transcoding/resource-name.js";
import type { RpcCall } from "./rpc-call.js";

/**
 * Handles a call after its request has arrived. For a stream, this is the first message, together with the bytes of all
 * messages.
 */
export type AuthorizedHandler<A> = (
  request: Message,
  call: RpcCall<A>,
  makeSignal: () => AbortSignal,
  body?: Readable,
) => Promise<Message | EncodedBinary | EncodedJson>;

/** Wraps a handler with authorization by the resource names in the request message. */
export function authorizedHandler<A>(
  method: DescMethod,
  handler: Handler<DescMethod, A>,
  budgetKeyOf: (caller: A) => string,
): AuthorizedHandler<A> {
  const readName = messageNameReader(method);
  const [binding] = method.methodKind === "unary" ? httpBindings(method) : [];
  const required = requiredBody(binding?.body);
  return async (request, call, makeSignal, body) => {
    const admit = await call.admission;
    const resource = readName(request);
    const caller = admit(resource);
    const { record, format } = call;
    const { requestId, share } = record;
    record.caller = caller;
    share.budgetKey = budgetKeyOf(caller);
    if (required !== undefined && !isFieldSet(request, required)) throw bodyMissing(required);
    const facts = { caller, resource, requestId, format, preconditions: NO_PRECONDITIONS, share };
    const result = await handler(request, new HandlerContext(facts, makeSignal, body));
    const encoded =
      result instanceof EncodedJson ? "json" : result instanceof EncodedBinary ? "binary" : undefined;
    if (encoded !== undefined && encoded !== call.format) {
      throw new Error(`the handler of ${method} returned a format other than ${call.format}`);
    }
    return result;
  };
}
