import type { Readable } from "node:stream";
import {
  type DescField,
  type DescMethod,
  fromJson,
  isMessage,
  type JsonObject,
  type Message,
  type Registry,
  toJson,
} from "@bufbuild/protobuf";
import { EncodedBinary, EncodedJson, type ResponseEntity } from "../api/encoded-response.js";
import type { CallContext, Handler, ResourceName } from "../api/service.js";
import { HandlerContext } from "../api/service.js";
import { HttpBodySchema } from "../gen/google/api/httpbody_pb.js";
import { responseSignal } from "../http/peer.js";
import type { Exchange } from "../http/responses/reply.js";
import { ParameterBinder } from "./binding/parameter-binder.js";
import type { SystemParameters } from "./binding/system-parameters.js";
import { type EtagField, etagFieldOf, isConditionalChange } from "./change-conditions.js";
import type { HttpBinding } from "./http-rule.js";
import { parseFieldSelection } from "./partial/field-selection.js";
import { type ResponseShape, shapeJson } from "./partial/response-shape.js";
import type { ResponseShaper } from "./partial/response-shaper.js";
import { type BodyOptions, type RequestReader, requestReader } from "./request-reader.js";
import { pathNameReader } from "./resource-name.js";

/** Options that all endpoints of a server share. */
export interface EndpointOptions extends BodyOptions {
  /** Message types for `Any`. */
  readonly registry: Registry;
  readonly shaper: ResponseShaper;
}

/** One compiled HTTP binding of a method. It handles the requests that are routed to it. */
export class Endpoint<A> {
  readonly method: DescMethod;
  /** Text of the path template. */
  readonly route: string;
  /** Maximum size of a request body, in bytes. */
  readonly bodyLimit: number;
  /** Reads the resource name in the path. @throws ApiError `MALFORMED_PATH` */
  readonly readName: (captures: ReadonlyMap<string, string>) => ResourceName;
  /** Verb at the end of the path, such as `undelete`. */
  readonly verb: string | undefined;
  /** True if the method changes something, and preconditions of the request are checked first. */
  readonly isConditionalChange: boolean;
  /** The etag that a change requires (AIP-154); undefined for other methods. */
  readonly #etagField: EtagField | undefined;
  readonly #handler: Handler<DescMethod, A>;
  readonly #parameters: ParameterBinder;
  readonly #read: RequestReader;
  readonly #responses: ResponseEncoder;

  /** @throws Error if the binding is invalid for the method. */
  constructor(
    method: DescMethod,
    binding: HttpBinding,
    handler: Handler<DescMethod, A>,
    options: EndpointOptions,
  ) {
    const { template, body, responseBody } = binding;
    this.method = method;
    this.route = template.text;
    this.bodyLimit = options.bodyLimit;
    this.readName = pathNameReader(template);
    this.verb = template.verb;
    this.isConditionalChange = isConditionalChange(method.input, binding);
    this.#etagField = etagFieldOf(method.input, binding);
    this.#handler = handler;
    this.#parameters = new ParameterBinder(method.input, template.variables, body);
    this.#read = requestReader(method, body, options);
    this.#responses = new ResponseEncoder(method, responseBody, options);
  }

  /**
   * @param requiredEtag returns the etag that the resource must have, according to the request's preconditions.
   * @throws ApiError if path, query or body are invalid; also any error of the handler and of `requiredEtag`.
   */
  async respond(
    exchange: Exchange<A>,
    captures: ReadonlyMap<string, string>,
    query: string,
    call: Pick<CallContext<A>, "caller" | "resource">,
    requiredEtag?: () => Promise<string>,
  ): Promise<ResponseEntity> {
    const { request, record } = exchange;
    const parameters = this.#parameters.bind(captures, query);
    const encode = this.#responses.encoderFor(parameters.system);
    const reading = this.#read(request, parameters.request, record.share.budgetKey ?? "");
    const { message, body } = reading instanceof Promise ? await reading : reading;
    if (requiredEtag !== undefined) {
      const etag = await requiredEtag();
      this.#etagField?.require(message, etag);
    }
    const context = this.#contextOf(exchange, call, body);
    return encode(await this.#handler(message, context), context);
  }

  /** Calls a method without parameters in the query and without a body. @throws any error of the handler. */
  async read(
    exchange: Exchange<A>,
    captures: ReadonlyMap<string, string>,
    caller: A,
  ): Promise<ResponseEntity> {
    const { system, request } = this.#parameters.bind(captures, "");
    const context = this.#contextOf(exchange, { caller, resource: this.readName(captures) }, undefined);
    const result = await this.#handler(fromJson(this.method.input, request), context);
    return this.#responses.encoderFor(system)(result, context);
  }

  #contextOf(
    { response, preconditions, record: { requestId, share } }: Exchange<A>,
    { caller, resource }: Pick<CallContext<A>, "caller" | "resource">,
    body: Readable | undefined,
  ): HandlerContext<A> {
    const facts = { caller, resource, requestId, format: "json", preconditions, share } as const;
    return new HandlerContext(facts, () => responseSignal(response), body);
  }
}

/** Encodes a handler's result. */
type EncodeResponse = (
  result: Message | EncodedJson | EncodedBinary,
  call: Pick<CallContext<unknown>, "waitForSlot">,
) => ResponseEntity | Promise<ResponseEntity>;

/** Encodes the responses of one HTTP binding of a method. */
class ResponseEncoder {
  readonly #method: DescMethod;
  readonly #body: ResponseShape["body"];
  readonly #options: EndpointOptions;
  readonly #encodeWhole: EncodeResponse;

  /** @param responseBody the field that is sent instead of the whole response. */
  constructor(method: DescMethod, responseBody: DescField | undefined, options: EndpointOptions) {
    this.#method = method;
    this.#body = responseBody && {
      name: responseBody.jsonName,
      isList: responseBody.fieldKind === "list",
    };
    this.#options = options;
    const shape = { key: this.#keyOf({}), body: this.#body, isPretty: false };
    this.#encodeWhole = (result, call) =>
      result instanceof EncodedJson && responseBody === undefined
        ? result
        : this.#encode(result, shape, call);
  }

  /** @throws ApiError `INVALID_ARGUMENT` if the field selection is invalid. */
  encoderFor(parameters: SystemParameters): EncodeResponse {
    const { fields, prettyPrint = false } = parameters;
    if (!fields && !prettyPrint) return this.#encodeWhole;
    const selection = fields ? parseFieldSelection(fields, this.#method.output) : undefined;
    const key = this.#keyOf(parameters);
    const shape = { key, selection, body: this.#body, isPretty: prettyPrint };
    return (result, call) => this.#encode(result, shape, call);
  }

  #encode(
    result: Parameters<EncodeResponse>[0],
    shape: ResponseShape,
    call: Parameters<EncodeResponse>[1],
  ): ResponseEntity | Promise<ResponseEntity> {
    if (isMessage(result, HttpBodySchema)) return result;
    if (result instanceof EncodedBinary)
      throw new Error(`the handler of ${this.#method} returned a format other than JSON`);
    if (result instanceof EncodedJson)
      return this.#options.shaper.shape(result, shape, () => call.waitForSlot());
    const json = toJson(this.#method.output, result, { registry: this.#options.registry });
    return new EncodedJson(Buffer.from(shapeJson(json as JsonObject, shape)));
  }

  #keyOf({ fields, prettyPrint }: SystemParameters): string {
    return JSON.stringify([this.#body?.name, prettyPrint, fields]);
  }
}
