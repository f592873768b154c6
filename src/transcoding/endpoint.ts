import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  fromJson,
  isMessage,
  type JsonObject,
  type Message,
  mergeFromJson,
  type Registry,
  toJson,
} from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { ApiError } from "../api/api-error.js";
import { EncodedBinary, EncodedJson, type ResponseEntity } from "../api/encoded-response.js";
import type { CallContext, Handler } from "../api/service.js";
import { HandlerContext, type ResourceName } from "../api/service.js";
import { HttpBodySchema } from "../gen/google/api/httpbody_pb.js";
import {
  announcesBody,
  type ContentDecoders,
  expectNoBody,
  openBody,
  readBody,
} from "../http/bodies/request-body.js";
import { responseSignal } from "../http/peer.js";
import type { Exchange } from "../http/responses/reply.js";
import { expectJsonType, parseJsonBody } from "./binding/json-body.js";
import {
  type BodyBinding,
  type BoundParameters,
  type BoundPath,
  ParameterBinder,
} from "./binding/parameter-binder.js";
import type { SystemParameters } from "./binding/system-parameters.js";
import { type EtagField, etagFieldOf, isConditionalChange, ofHeader } from "./change-conditions.js";
import { type HttpBinding, isRequired } from "./http-rule.js";
import { parseFieldSelection } from "./partial/field-selection.js";
import { type ResponseShape, shapeJson } from "./partial/response-shape.js";
import type { ResponseShaper } from "./partial/response-shaper.js";

export interface EndpointOptions {
  /** Maximum size of a body that is read as a whole, in bytes after decompression. */
  readonly bodyLimit: number;
  readonly decoders: ContentDecoders;
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
  /** Verb at the end of the path, such as `undelete`. */
  readonly verb: string | undefined;
  /** True if the HTTP method is not GET. */
  readonly isChange: boolean;
  /** True if the method changes something, and preconditions of the request are checked against a resource first. */
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
    this.verb = template.verb;
    this.isChange = binding.httpMethod !== "GET";
    this.isConditionalChange = isConditionalChange(method.input, binding);
    this.#etagField = etagFieldOf(method.input, binding);
    this.#handler = handler;
    this.#parameters = new ParameterBinder(method.input, template.variables, body);
    this.#read = requestReader(method, body, options);
    this.#responses = new ResponseEncoder(method, responseBody, options);
  }

  bindPath(captures: ReadonlyMap<string, string>): BoundPath {
    return this.#parameters.bindPath(captures);
  }

  /** @throws ApiError `INVALID_ARGUMENT` if path or query are invalid. */
  bind(path: BoundPath, query: string): BoundParameters {
    return this.#parameters.bind(path, query);
  }

  /**
   * @param resource the resource name in the path.
   * @param requiredEtag returns the etag that the resource must have, according to the request's preconditions.
   * @throws ApiError if the body is invalid; also any error of the handler and of `requiredEtag`.
   */
  async respond(
    exchange: Exchange<A>,
    resource: ResourceName,
    parameters: BoundParameters,
    caller: A,
    requiredEtag?: () => Promise<string>,
  ): Promise<ResponseEntity> {
    const { request, record } = exchange;
    const encode = this.#responses.encoderFor(parameters.system);
    const reading = this.#read(request, parameters.request, record.share.budgetKey ?? "");
    const { message, body } = reading instanceof Promise ? await reading : reading;
    let isEtagOfHeader = false;
    if (requiredEtag !== undefined) {
      const etag = await requiredEtag();
      isEtagOfHeader = this.#etagField?.require(message, etag) ?? false;
    }
    const context = this.#contextOf(exchange, { caller, resource }, body);
    try {
      return encode(await this.#handler(message, context), context);
    } catch (error) {
      throw isEtagOfHeader ? ofHeader(error, exchange.preconditions) : error;
    }
  }

  /** Calls a method without parameters in the query and without a body. @throws any error of the handler. */
  async read(exchange: Exchange<A>, path: BoundPath, caller: A): Promise<ResponseEntity> {
    const { system, request } = this.#parameters.bind(path, "");
    const context = this.#contextOf(exchange, { caller, resource: path.resource }, undefined);
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

/** A request message, with the body as a stream for streaming methods. */
interface ReadRequest {
  readonly message: Message;
  readonly body?: Readable;
}

/**
 * Creates the request message from the body and the ProtoJSON of path and query.
 *
 * @param caller the caller's budget key.
 */
type RequestReader = (
  request: IncomingMessage,
  parameters: JsonObject,
  caller: string,
) => ReadRequest | Promise<ReadRequest>;

/** @throws Error if HTTP/JSON does not support the method's streams. */
function requestReader(method: DescMethod, body: BodyBinding, options: EndpointOptions): RequestReader {
  const bodyMessage = body === "*" ? method.input : body?.message;
  const isRaw = bodyMessage?.typeName === HttpBodySchema.typeName;
  if (method.methodKind === "client_streaming" && isRaw) return streamReader(method.input, body, options);
  if (method.methodKind !== "unary") {
    throw new Error(`${method}: only a stream of google.api.HttpBody to the server is supported`);
  }
  if (body === undefined) return bodilessReader(method.input);
  return isRaw ? bytesReader(method.input, body, options) : jsonReader(method.input, body, options);
}

function bodilessReader(input: DescMessage): RequestReader {
  return (request, parameters) => {
    const message = fromJson(input, parameters);
    return announcesBody(request) ? expectNoBody(request).then(() => ({ message })) : { message };
  };
}

function jsonReader(
  input: DescMessage,
  body: Exclude<BodyBinding, undefined>,
  { decoders, bodyLimit }: EndpointOptions,
): RequestReader {
  /** Reads the body; an empty buffer if there is none. */
  async function read(request: IncomingMessage, caller: string): Promise<Buffer> {
    if (!announcesBody(request)) return Buffer.alloc(0);
    expectJsonType(request.headers["content-type"]);
    return readBody(request, { decoders, caller }, bodyLimit);
  }

  const required = requiredBody(body);
  return async (request, parameters, caller) => {
    const bytes = await read(request, caller);
    if (bytes.length === 0 && required !== undefined) throw bodyMissing(required);
    const message = bytes.length === 0 ? create(input) : parseJsonBody(input, body, bytes);
    // Fields that the path binds override those in the body.
    return { message: mergeFromJson(input, message, parameters) };
  };
}

/** Returns the field that a request cannot omit because it is the body. Returns undefined if there is none. */
export const requiredBody = (body: BodyBinding): DescField | undefined =>
  body !== undefined && body !== "*" && isRequired(body) ? body : undefined;

export const bodyMissing = ({ jsonName }: DescField): ApiError =>
  ApiError.invalidArgument("REQUEST_BODY_MISSING", "body", `is missing; send the ${jsonName} as JSON`);

/** Reads a body of any media type into a `google.api.HttpBody`. */
function bytesReader(
  input: DescMessage,
  body: BodyBinding,
  { decoders, bodyLimit }: EndpointOptions,
): RequestReader {
  return async (request, parameters, caller) => {
    const data = base64Encode(await readBody(request, { decoders, caller }, bodyLimit));
    return { message: fromJson(input, withHttpBody(request, parameters, body, { data })) };
  };
}

/** Passes a body of any media type to the handler as a stream. */
function streamReader(input: DescMessage, body: BodyBinding, { decoders }: EndpointOptions): RequestReader {
  return (request, parameters, caller) => ({
    message: fromJson(input, withHttpBody(request, parameters, body, {})),
    body: openBody(request, { decoders, caller }),
  });
}

function withHttpBody(
  request: IncomingMessage,
  parameters: JsonObject,
  body: BodyBinding,
  content: JsonObject,
): JsonObject {
  const httpBody = { contentType: request.headers["content-type"] ?? "", ...content };
  return typeof body === "object"
    ? { ...parameters, [body.jsonName]: httpBody }
    : { ...parameters, ...httpBody };
}

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
