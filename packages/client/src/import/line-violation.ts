import type { FieldViolation } from "../waybill-error.js";

/** A violation in a line of an import. */
export interface LineViolation {
  /** Number of the line, from 1; missing if the violation is not in a line. */
  readonly line: number | undefined;
  /** Field of the event; empty for the line as a whole. */
  readonly field: string;
  readonly description: string;
}

/** A violation in a line that an import skipped. */
export interface InvalidLine extends LineViolation {
  readonly line: number;
}

/** The path of a line or of a field in it, such as `lines[17].eventType` (AIP-193). */
const PATH = /^lines\[(\d+)\](?:\.(.*))?$/;

/** Reads the path of a violation. */
export function lineViolation({ field, description }: FieldViolation): LineViolation {
  const path = PATH.exec(field);
  if (path === null) return { line: undefined, field, description };
  return { line: Number(path[1]), field: path[2] ?? "", description };
}

/** Writes the path of a violation. */
export function fieldViolation({ line, field, description }: LineViolation): FieldViolation {
  if (line === undefined) return { field, description };
  return { field: `lines[${line}]${field === "" ? "" : `.${field}`}`, description };
}
