import type { AnswerFormat } from "../../../api/service.js";
import { BinaryRowEncoder, binaryLayout } from "./binary-row-encoder.js";
import { JsonRowEncoder, jsonLayout } from "./json-row-encoder.js";
import type { RowEncoder } from "./row-encoder.js";
import type { RowForm } from "./row-form.js";

/** Makes the encoder of one answer. */
export type NewRowEncoder = (format: AnswerFormat) => RowEncoder;

/** Makes ready to encode answers of a form. */
export function rowEncoders(form: RowForm): NewRowEncoder {
  const json = jsonLayout(form);
  const binary = binaryLayout(form);
  return (format) => (format === "json" ? new JsonRowEncoder(json) : new BinaryRowEncoder(binary));
}
