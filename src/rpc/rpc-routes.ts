import { createRegistry, type DescMessage, type DescMethod } from "@bufbuild/protobuf";
import { type ConnectRouter, createConnectRouter } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import type { ServiceImplementation } from "../api/service.js";
import { MAX_MESSAGE_BYTES } from "../limits/request-limits.js";
import { checkedJson } from "../transcoding/binding/json-body.js";
import { bodyLimitOf } from "../transcoding/body-limit.js";
import { type AuthorizedHandler, authorizedHandler } from "./authorized-handler.js";
import { methodImplementation, translateErrors } from "./connect/method-implementation.js";

export interface RpcRoute<A> {
  /** The handler that Connect calls. It calls the handler in {@link authorized}. */
  readonly handler: UniversalHandler;
  /** `undefined` for methods that need no token. */
  readonly authorized: AuthorizedHandler<A> | undefined;
  /** Maximum size of a request message, in bytes. */
  readonly maxMessageBytes: number;
}

export interface RpcServices<A> {
  readonly services: readonly ServiceImplementation<A>[];
  /** Returns a caller's key for quotas and budgets. */
  readonly budgetKeyOf: (caller: A) => string;
  /** Adds services that need no token. */
  readonly open: (router: ConnectRouter) => void;
}

/** Returns true if a method has streams and needs no token. */
export function isOpenStream<A>({ handler, authorized }: RpcRoute<A>): boolean {
  return authorized === undefined && handler.method.methodKind !== "unary";
}

/**
 * Returns an option of Connect for the JSON of requests. Without it, Connect accepts durations with trailing text and days
 * that do not exist, and replaces bytes that are not UTF-8.
 */
const strictDecoder = (input: DescMessage) => ({
  textDecoder: { decode: (bytes: Uint8Array): string => checkedJson(input, bytes) },
});

/** Creates the routes of services, by path. @throws Error if a method has no handler. */
export function buildRoutes<A>({
  services,
  budgetKeyOf,
  open,
}: RpcServices<A>): ReadonlyMap<string, RpcRoute<A>> {
  const jsonOptions = {
    ignoreUnknownFields: false,
    // The registry contains the types that may occur in `google.protobuf.Any`.
    registry: createRegistry(...services.map(({ service }) => service.file)),
  };
  const router = createConnectRouter({
    acceptCompression: [compressionGzip, compressionBrotli],
    readMaxBytes: MAX_MESSAGE_BYTES,
    jsonOptions,
    interceptors: [translateErrors],
  });
  const authorized = new Map<DescMethod, Omit<RpcRoute<A>, "handler">>();
  for (const { service, handlers } of services) {
    for (const method of service.methods) {
      const handler = handlers[method.localName];
      if (handler === undefined) throw new Error(`${method} has no handler`);
      const implementation = authorizedHandler(method, handler, budgetKeyOf);
      const maxMessageBytes = bodyLimitOf(method, MAX_MESSAGE_BYTES);
      authorized.set(method, { authorized: implementation, maxMessageBytes });
      router.rpc(
        method as DescMethod & { methodKind: "unary" },
        methodImplementation(method, implementation, jsonOptions),
        {
          readMaxBytes: maxMessageBytes,
          jsonOptions: { ...jsonOptions, ...strictDecoder(method.input) },
        },
      );
    }
  }
  open(router);
  const withoutToken = { authorized: undefined, maxMessageBytes: MAX_MESSAGE_BYTES };
  return new Map(
    router.handlers.map((handler) => [
      handler.requestPath,
      { handler, ...(authorized.get(handler.method) ?? withoutToken) },
    ]),
  );
}
