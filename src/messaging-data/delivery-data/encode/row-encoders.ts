import type { AnswerFormat } from "../../../api/service.js";
import { BinaryRowEncoder, binaryLayout } from "./binary-row-encoder.js";
import { JsonRowEncoder, jsonLayout } from "./json-row-encoder.js";
import type { RowEncoder } from "./row-encoder.js";
import type { RowForm } from "./row-form.js";

/** Creates the encoder of one answer. */
export type NewRowEncoder = (format: AnswerFormat) => RowEncoder;

/** Prepares the encoding of answers of a form. */
export function rowEncoders(form: RowForm): NewRowEncoder {
  const json = jsonLayout(form);
  const binary = binaryLayout(form);
  return (format) => (format === "json" ? new JsonRowEncoder(json) : new BinaryRowEncoder(binary));
}
