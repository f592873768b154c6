import {
  type DescField,
  type DescMethod,
  isMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  type Registry,
  toJson,
} from "@bufbuild/protobuf";
import { type HttpBody, HttpBodySchema } from "../gen/google/api/httpbody_pb.js";
import { EncodedBinary } from "./encoded-binary.js";
import type { EncodedEntity } from "./encoded-entity.js";
import { EncodedJson } from "./encoded-json.js";
import { parseFieldSelection, selectFields } from "./field-selection.js";
import type { SystemParameters } from "./system-parameters.js";

/** What is sent back: JSON or another entity that may be compressed, or bytes as they are. */
export type Answer = EncodedEntity | HttpBody;

/** Turns what a handler returned into what is sent. */
export type EncodeAnswer = (result: Message | EncodedJson | EncodedBinary) => Answer;

/** Encodes the answers of one method by one of its HTTP bindings. */
export class AnswerEncoder {
  readonly #method: DescMethod;
  readonly #responseBody: DescField | undefined;
  readonly #registry: Registry;
  readonly #encodeWhole: EncodeAnswer;

  /**
   * @param responseBody The field of the answer that is sent in place of the whole.
   * @param registry The messages that an `Any` may hold.
   */
  constructor(method: DescMethod, responseBody: DescField | undefined, registry: Registry) {
    this.#method = method;
    this.#responseBody = responseBody;
    this.#registry = registry;
    this.#encodeWhole = (result) => {
      if (isMessage(result, HttpBodySchema)) return result;
      if (result instanceof EncodedJson && responseBody === undefined) return result;
      return encode(this.#bodyOf(this.#jsonOf(result)));
    };
  }

  /** @throws ApiError `INVALID_ARGUMENT` if the selection of fields is wrong. */
  encoderFor({ fields, prettyPrint }: SystemParameters): EncodeAnswer {
    if (!fields && !prettyPrint) return this.#encodeWhole;
    const selection = fields ? parseFieldSelection(fields, this.#method.output) : undefined;
    return (result) => {
      if (isMessage(result, HttpBodySchema)) return result;
      const json = this.#jsonOf(result);
      return encode(
        this.#bodyOf(selection ? selectFields(json, selection) : json),
        prettyPrint ? 2 : undefined,
      );
    };
  }

  #jsonOf(result: Message | EncodedJson | EncodedBinary): JsonObject {
    if (result instanceof EncodedBinary) throw new Error(`the handler of ${this.#method} was asked for JSON`);
    const json =
      result instanceof EncodedJson
        ? JSON.parse(result.bytes.toString())
        : toJson(this.#method.output, result, { registry: this.#registry });
    return json as JsonObject;
  }

  #bodyOf(json: JsonObject): JsonValue {
    const field = this.#responseBody;
    if (field === undefined) return json;
    return json[field.jsonName] ?? (field.fieldKind === "list" ? [] : {});
  }
}

const encode = (json: JsonValue, indent?: number): EncodedJson =>
  new EncodedJson(Buffer.from(JSON.stringify(json, null, indent)));
