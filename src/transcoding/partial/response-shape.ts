import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type FieldSelection, selectFields } from "./field-selection.js";

/** Selects parts of an encoded response. It is passed between threads. */
export interface ResponseShape {
  /** Identifies the shape among all shapes of a response. */
  readonly key: string;
  /** Fields to send; all by default. */
  readonly selection?: FieldSelection | undefined;
  /** Field to send instead of the whole response (`response_body` of a binding). */
  readonly body?: { readonly name: string; readonly isList: boolean } | undefined;
  readonly isPretty: boolean;
}

/** Shapes ProtoJSON. @returns the text to send. */
export function shapeJson(json: JsonObject, { selection, body, isPretty }: ResponseShape): string {
  const selected = selection === undefined ? json : selectFields(json, selection);
  const sent: JsonValue = body === undefined ? selected : (selected[body.name] ?? (body.isList ? [] : {}));
  return JSON.stringify(sent, null, isPretty ? 2 : undefined);
}

/** Shapes encoded ProtoJSON. @returns the text to send. */
export function shapeBytes(bytes: Uint8Array, shape: ResponseShape): string {
  const { buffer, byteOffset, length } = bytes;
  return shapeJson(JSON.parse(Buffer.from(buffer, byteOffset, length).toString()) as JsonObject, shape);
}
