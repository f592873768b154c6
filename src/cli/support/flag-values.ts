import { InvalidArgumentError } from "commander";

export function parseText(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("It must not be empty.");
}

/** Parses a flag with any text that may be repeated. */
export const parseSeveral = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  parseText(text),
];

/** Returns a parser for a flag with a whole number, in decimal digits. @param most maximum, if there is one. */
export function wholeNumber(least: number, most?: number): (text: string) => number {
  const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= (most ?? Number.MAX_SAFE_INTEGER)) return value;
    throw new InvalidArgumentError(`It must be a whole number ${range}.`);
  };
}

/** Returns a parser for a flag with a number above 0, such as `1.5`. */
export function positiveNumber(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+(?:\.\d+)?$/.test(text) && value > 0 && value <= most) return value;
    throw new InvalidArgumentError(`It must be a number above 0, and at most ${most}.`);
  };
}
