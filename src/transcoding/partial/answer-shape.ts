import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type FieldSelection, selectFields } from "./field-selection.js";

/** How an answer is sent that was encoded as a whole. Goes from thread to thread. */
export interface AnswerShape {
  /** The fields that are sent; all if it is left out. */
  readonly selection?: FieldSelection | undefined;
  /** The field that is sent in place of the whole (`response_body` of a binding). */
  readonly body?: { readonly name: string; readonly isList: boolean } | undefined;
  readonly isPretty: boolean;
}

/** Brings ProtoJSON into a shape. @returns the text that is sent. */
export function shapeJson(json: JsonObject, { selection, body, isPretty }: AnswerShape): string {
  const selected = selection === undefined ? json : selectFields(json, selection);
  const sent: JsonValue = body === undefined ? selected : (selected[body.name] ?? (body.isList ? [] : {}));
  return JSON.stringify(sent, null, isPretty ? 2 : undefined);
}

/** Brings encoded ProtoJSON into a shape. @returns the text that is sent. */
export function shapeBytes(bytes: Uint8Array, shape: AnswerShape): string {
  const { buffer, byteOffset, length } = bytes;
  return shapeJson(JSON.parse(Buffer.from(buffer, byteOffset, length).toString()) as JsonObject, shape);
}
