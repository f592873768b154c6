import {
  type DescField,
  type DescMethod,
  isMessage,
  type JsonObject,
  type Message,
  type Registry,
  toJson,
} from "@bufbuild/protobuf";
import { EncodedBinary, EncodedJson, type ResponseEntity } from "../api/encoded-response.js";
import type { CallContext } from "../api/service.js";
import { HttpBodySchema } from "../gen/google/api/httpbody_pb.js";
import type { SystemParameters } from "./binding/system-parameters.js";
import { parseFieldSelection } from "./partial/field-selection.js";
import { type ResponseShape, shapeJson } from "./partial/response-shape.js";
import type { ResponseShaper } from "./partial/response-shaper.js";

/** Encodes a handler's result. */
export type EncodeResponse = (
  result: Message | EncodedJson | EncodedBinary,
  call: Pick<CallContext<unknown>, "waitForSlot">,
) => ResponseEntity | Promise<ResponseEntity>;

/** Options that all encoders of a server share. */
export interface ResponseEncoderOptions {
  /** Message types for `Any`. */
  readonly registry: Registry;
  readonly shaper: ResponseShaper;
}

/** Encodes the responses of one HTTP binding of a method. */
export class ResponseEncoder {
  readonly #method: DescMethod;
  readonly #body: ResponseShape["body"];
  readonly #options: ResponseEncoderOptions;
  readonly #encodeWhole: EncodeResponse;

  /** @param responseBody the field that is sent instead of the whole response. */
  constructor(method: DescMethod, responseBody: DescField | undefined, options: ResponseEncoderOptions) {
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
