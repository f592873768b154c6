import type { ProjectNumber } from "../../model/names.js";

/** Matches special characters in string literals, and the NUL character, which may end a statement. */
const ESCAPED = /['\\\0]/g;

/** Converts a string to a literal. Parameters are not used, because older engines do not support them. */
export const textLiteral = (text: string): string =>
  `'${text.replaceAll(ESCAPED, (character) => (character === "\0" ? "\\0" : `\\${character}`))}'`;

/** Converts an integer to a literal. @throws RangeError if it is not a safe integer. */
export function integerLiteral(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not an integer`);
  return String(value);
}

/** Converts a project number to a literal. @throws RangeError if the string is not a decimal number. */
export function projectLiteral(project: ProjectNumber): string {
  if (!/^\d{1,19}$/.test(project)) throw new RangeError(`${project} is not a project number`);
  return project;
}

/** Converts strings to literals, separated by commas. */
export const textList = (values: readonly string[]): string => values.map(textLiteral).join(", ");

/** Converts integers to literals, separated by commas. */
export const integerList = (values: readonly number[]): string => values.map(integerLiteral).join(", ");
