import { InvalidArgumentError } from "commander";

/** Parses a flag with any text. */
export function parseText(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("It must not be empty.");
}

/** Parses a flag with any text that may be repeated. */
export const parseSeveral = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  parseText(text),
];
