/** Characters that mean something inside a string of a statement, and the one that may end the statement early. */
const ESCAPED = /['\\\0]/g;

/** Writes text as a literal of a statement. Older engines have no parameters. */
export const textLiteral = (text: string): string =>
  `'${text.replaceAll(ESCAPED, (character) => (character === "\0" ? "\\0" : `\\${character}`))}'`;

/** Writes an integer as a literal of a statement. @throws RangeError if it is not an exact integer. */
export function integerLiteral(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not an integer`);
  return String(value);
}

/** Writes a project number as a literal of a statement. @throws RangeError if it is not in decimal. */
export function projectLiteral(project: string): string {
  if (!/^\d{1,19}$/.test(project)) throw new RangeError(`${project} is not a project number`);
  return project;
}

/** Writes a list of texts, separated by commas. */
export const textList = (values: readonly string[]): string => values.map(textLiteral).join(", ");

/** Writes a list of integers, separated by commas. */
export const integerList = (values: readonly number[]): string => values.map(integerLiteral).join(", ");
