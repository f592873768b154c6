import type { IncomingMessage } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import { shuttingDown } from "../api/errors.js";
import type { Admission, Authorize, ResponseFormat } from "../api/service.js";
import { remoteNetwork } from "../http/peer.js";
import { type HandlerOptions, type RequestFacts, RequestRecord } from "../http/request-record.js";
import { CallShare } from "../http/responses/response-shares.js";
import { protocolOf } from "./call-form.js";
import { RpcCall } from "./rpc-call.js";
import type { RpcRoute } from "./rpc-routes.js";

/** Dependencies of a {@link CallOpener}. `A` is the authorization result's type. */
export interface CallOpenerParts<A>
  extends Pick<HandlerOptions<A>, "errorDomain" | "authorize" | "shares" | "newRequestId"> {
  /** Aborts when the server stops. Later calls are rejected. */
  readonly stopping: AbortSignal;
}

/** Creates a record for each request, and starts the authorization of calls. */
export class CallOpener<A> {
  readonly #parts: CallOpenerParts<A>;

  constructor(parts: CallOpenerParts<A>) {
    this.#parts = parts;
  }

  recordRequest(request: IncomingMessage): RequestRecord<A> {
    const { method: httpMethod = "", url: target = "" } = request;
    const facts = { protocol: protocolOf(request), httpMethod, target };
    return this.#record(facts, () => remoteNetwork(request.socket));
  }

  /** Creates a record for a gRPC call that is handled directly on its stream. */
  recordStream(stream: ServerHttp2Stream, target: string, { handler }: RpcRoute<A>): RequestRecord<A> {
    const facts = { protocol: "grpc", httpMethod: "POST", target } as const;
    const record = this.#record(facts, () =>
      remoteNetwork({ remoteAddress: stream.session?.socket.remoteAddress }),
    );
    record.operation = handler.method.name;
    return record;
  }

  /** Starts to authorize a call, while the request is still arriving. */
  open(
    record: RequestRecord<A>,
    { handler, authorized }: RpcRoute<A>,
    format: ResponseFormat,
    authorization: string | undefined,
  ): RpcCall<A> {
    const admission =
      authorized === undefined
        ? Promise.resolve(() => undefined as A)
        : record.share.waits.spendOn(this.#admit(handler.method, authorization, record.share.networkOf));
    // Readers of the request handle a rejection. Until then, the rejection must not count as unhandled.
    admission.catch(() => {});
    return new RpcCall({ record, format, admission, errorDomain: this.#parts.errorDomain });
  }

  async #admit(...call: Parameters<Authorize<A>>): Promise<Admission<A>> {
    if (this.#parts.stopping.aborted) throw shuttingDown();
    return this.#parts.authorize(...call);
  }

  #record(facts: Omit<RequestFacts, "requestId">, networkOf: () => string): RequestRecord<A> {
    const requestId = this.#parts.newRequestId();
    return new RequestRecord<A>({ requestId, ...facts }, new CallShare(this.#parts.shares, networkOf));
  }
}
