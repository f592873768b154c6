import {
  type DescField,
  type DescMethod,
  isMessage,
  type JsonObject,
  type Message,
  type Registry,
  toJson,
} from "@bufbuild/protobuf";
import type { Answer } from "../api/encoded-answer.js";

import { EncodedBinary, EncodedJson } from "../api/encoded-answer.js";
import type { CallContext } from "../api/service.js";
import { HttpBodySchema } from "../gen/google/api/httpbody_pb.js";
import type { SystemParameters } from "./binding/system-parameters.js";
import { type AnswerShape, shapeJson } from "./partial/answer-shape.js";
import type { AnswerShaper } from "./partial/answer-shaper.js";
import { parseFieldSelection } from "./partial/field-selection.js";

/** Encodes a handler's result. */
export type EncodeAnswer = (
  result: Message | EncodedJson | EncodedBinary,
  call: Pick<CallContext<unknown>, "turn">,
) => Answer | Promise<Answer>;

/** Options that all encoders of a server share. */
export interface AnswerEncoderOptions {
  /** Message types for `Any`. */
  readonly registry: Registry;
  readonly shaper: AnswerShaper;
}

/** Encodes the responses of one HTTP binding of a method. */
export class AnswerEncoder {
  readonly #method: DescMethod;
  readonly #body: AnswerShape["body"];
  readonly #options: AnswerEncoderOptions;
  readonly #encodeWhole: EncodeAnswer;

  /** @param responseBody the field that is sent in place of the whole response. */
  constructor(method: DescMethod, responseBody: DescField | undefined, options: AnswerEncoderOptions) {
    this.#method = method;
    this.#body = responseBody && {
      name: responseBody.jsonName,
      isList: responseBody.fieldKind === "list",
    };
    this.#options = options;
    const shape = { body: this.#body, isPretty: false };
    this.#encodeWhole = (result, call) =>
      result instanceof EncodedJson && responseBody === undefined
        ? result
        : this.#encode(result, shape, call);
  }

  /** @throws ApiError `INVALID_ARGUMENT` if the field selection is invalid. */
  encoderFor({ fields, prettyPrint = false }: SystemParameters): EncodeAnswer {
    if (!fields && !prettyPrint) return this.#encodeWhole;
    const selection = fields ? parseFieldSelection(fields, this.#method.output) : undefined;
    const shape = { selection, body: this.#body, isPretty: prettyPrint };
    return (result, call) => this.#encode(result, shape, call);
  }

  #encode(
    result: Parameters<EncodeAnswer>[0],
    shape: AnswerShape,
    call: Parameters<EncodeAnswer>[1],
  ): Answer | Promise<Answer> {
    if (isMessage(result, HttpBodySchema)) return result;
    if (result instanceof EncodedBinary)
      throw new Error(`the handler of ${this.#method} returned another format than JSON`);
    if (result instanceof EncodedJson) return this.#shape(result.bytes, shape, call);
    const json = toJson(this.#method.output, result, { registry: this.#options.registry });
    return new EncodedJson(Buffer.from(shapeJson(json as JsonObject, shape)));
  }

  async #shape(bytes: Buffer, shape: AnswerShape, call: Parameters<EncodeAnswer>[1]): Promise<Answer> {
    const { shaper } = this.#options;
    if (shaper.isLarge(bytes.length)) await call.turn();
    return shaper.shape(bytes, shape);
  }
}
