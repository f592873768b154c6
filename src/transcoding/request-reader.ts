import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  fromJson,
  type JsonObject,
  type Message,
  mergeFromJson,
} from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { ApiError } from "../api/api-error.js";
import { HttpBodySchema } from "../gen/google/api/httpbody_pb.js";
import {
  announcesBody,
  type ContentDecoders,
  expectNoBody,
  openBody,
  readBody,
} from "../http/bodies/request-body.js";
import { expectJsonType, parseJsonBody } from "./binding/json-body.js";
import type { BodyBinding } from "./binding/parameter-binder.js";
import { isRequired } from "./http-rule.js";

/** A request message, with the body as a stream for streaming methods. */
export interface ReadRequest {
  readonly message: Message;
  readonly body?: Readable;
}

/**
 * Creates the request message from the body and the ProtoJSON of path and query.
 *
 * @param caller the caller's budget key.
 */
export type RequestReader = (
  request: IncomingMessage,
  parameters: JsonObject,
  caller: string,
) => ReadRequest | Promise<ReadRequest>;

/** Options for reading bodies. */
export interface BodyOptions {
  /** Maximum size of a body that is read as a whole, in bytes after decompression. */
  readonly bodyLimit: number;
  readonly decoders: ContentDecoders;
}

/** @throws Error if HTTP/JSON does not support the method's streams. */
export function requestReader(method: DescMethod, body: BodyBinding, options: BodyOptions): RequestReader {
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
  { decoders, bodyLimit }: BodyOptions,
): RequestReader {
  /** Reads the body; an empty buffer if there is none. */
  async function read(request: IncomingMessage, caller: string): Promise<Buffer> {
    if (!announcesBody(request)) return Buffer.alloc(0);
    expectJsonType(request.headers["content-type"]);
    return readBody(request, { decoders, caller }, bodyLimit);
  }

  const required = body !== "*" && isRequired(body) ? body : undefined;
  return async (request, parameters, caller) => {
    const bytes = await read(request, caller);
    if (bytes.length === 0 && required !== undefined) throw bodyMissing(required);
    const message = bytes.length === 0 ? create(input) : parseJsonBody(input, body, bytes);
    // Fields that the path binds override those in the body.
    return { message: mergeFromJson(input, message, parameters) };
  };
}

const bodyMissing = ({ jsonName }: DescField): ApiError =>
  ApiError.invalidArgument("REQUEST_BODY_MISSING", "body", `is missing; send the ${jsonName} as JSON`);

/** Reads a body of any media type into a `google.api.HttpBody`. */
function bytesReader(
  input: DescMessage,
  body: BodyBinding,
  { decoders, bodyLimit }: BodyOptions,
): RequestReader {
  return async (request, parameters, caller) => {
    const data = base64Encode(await readBody(request, { decoders, caller }, bodyLimit));
    return { message: fromJson(input, withHttpBody(request, parameters, body, { data })) };
  };
}

/** Passes a body of any media type to the handler as a stream. */
function streamReader(input: DescMessage, body: BodyBinding, { decoders }: BodyOptions): RequestReader {
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
