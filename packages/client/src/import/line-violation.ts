import type { FieldViolation } from "../waybill-error.js";

/** A violation that an import reported. */
export interface LineViolation {
  /** Line number, from 1. Undefined if the violation concerns the whole request. */
  readonly line: number | undefined;
  /** Name of the event field. Empty if the violation concerns the whole line. */
  readonly field: string;
  readonly description: string;
}

/** A violation in a skipped line. */
export interface InvalidLine extends LineViolation {
  readonly line: number;
}

/** Path of a line or of a field in a line, such as `lines[17].eventType` (AIP-193). */
const PATH = /^lines\[(\d+)\](?:\.(.*))?$/;

export function lineViolation({ field, description }: FieldViolation): LineViolation {
  const path = PATH.exec(field);
  if (path === null) return { line: undefined, field, description };
  return { line: Number(path[1]), field: path[2] ?? "", description };
}

export function fieldViolation({ line, field, description }: LineViolation): FieldViolation {
  if (line === undefined) return { field, description };
  return { field: `lines[${line}]${field === "" ? "" : `.${field}`}`, description };
}
