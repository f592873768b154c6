import type { DescMethod } from "@bufbuild/protobuf";
import type { ResponseEntity } from "../api/encoded-response.js";
import type { CallContext, Handler, ResourceName } from "../api/service.js";
import { HandlerContext } from "../api/service.js";
import { responseSignal } from "../http/peer.js";
import type { Exchange } from "../http/responses/reply.js";
import { ParameterBinder } from "./binding/parameter-binder.js";
import type { HttpBinding } from "./http-rule.js";
import { type BodyOptions, type RequestReader, requestReader } from "./request-reader.js";
import { pathNameReader } from "./resource-name.js";
import { ResponseEncoder, type ResponseEncoderOptions } from "./response-encoder.js";

/** Options that all endpoints of a server share. */
export interface EndpointOptions extends BodyOptions, ResponseEncoderOptions {}

/** One compiled HTTP binding of a method. It handles the requests that are routed to it. */
export class Endpoint<A> {
  readonly method: DescMethod;
  /** Maximum size of a request body, in bytes. */
  readonly bodyLimit: number;
  /** Reads the resource name in the path. @throws ApiError `MALFORMED_PATH` */
  readonly readName: (captures: ReadonlyMap<string, string>) => ResourceName;
  readonly #handler: Handler<DescMethod, A>;
  readonly #parameters: ParameterBinder;
  readonly #read: RequestReader;
  readonly #responses: ResponseEncoder;

  /** @throws Error if the binding is invalid for the method. */
  constructor(
    method: DescMethod,
    { template, body, responseBody }: HttpBinding,
    handler: Handler<DescMethod, A>,
    options: EndpointOptions,
  ) {
    this.method = method;
    this.bodyLimit = options.bodyLimit;
    this.readName = pathNameReader(template);
    this.#handler = handler;
    this.#parameters = new ParameterBinder(method.input, template.variables, body);
    this.#read = requestReader(method, body, options);
    this.#responses = new ResponseEncoder(method, responseBody, options);
  }

  /** @throws ApiError if path, query or body are invalid; also any error of the handler. */
  async respond(
    { request, response, preconditions, record: { requestId, share } }: Exchange<A>,
    captures: ReadonlyMap<string, string>,
    query: string,
    { caller, resource }: Pick<CallContext<A>, "caller" | "resource">,
  ): Promise<ResponseEntity> {
    const parameters = this.#parameters.bind(captures, query);
    const encode = this.#responses.encoderFor(parameters.system);
    const reading = this.#read(request, parameters.request, share.budgetKey ?? "");
    const { message, body } = reading instanceof Promise ? await reading : reading;
    const facts = { caller, resource, requestId, format: "json", preconditions, share } as const;
    const context = new HandlerContext(facts, () => responseSignal(response), body);
    return encode(await this.#handler(message, context), context);
  }
}
