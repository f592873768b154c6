import type * as z from "zod";

/** Types in words, by their names in schemas. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["array", "a list"],
  ["boolean", "true or false"],
  ["int", "an integer"],
  ["number", "a number"],
  ["object", "an object"],
  ["string", "a string"],
]);

/**
 * Options to read YAML. Without `stringKeys`, a key may be a map, and its text becomes the key. For nested maps, the reader
 * needs minutes.
 */
export const YAML_OPTIONS = { stringKeys: true } as const;

/** Describes an error of the YAML reader in one line, with its position. The other lines of its message quote the text. */
export function yamlProblem({ message }: Error): string {
  const [line = ""] = message.split("\n");
  return line
    .replace(/:$/, "")
    .replace("With stringKeys, all keys", "Keys")
    .replace("URIError: URI malformed", "Invalid percent escape in a tag");
}

/**
 * Describes why a value does not match a schema. The description follows the value's name, such as
 * `must be a number, not a string`.
 *
 * @returns undefined if the schema has its own, more specific description.
 */
export function schemaProblem(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${typeInWords(issue.expected)}, not ${typeInWords(typeOf(issue.input))}`;
    case "invalid_value":
      return `must be ${choiceOf(issue.values.map((value) => JSON.stringify(value)))}`;
    case "too_small":
      return limitOf(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return limitOf(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    default:
      return undefined;
  }
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

const typeInWords = (type: string): string => TYPES.get(type) ?? type;

/** Joins choices to a string such as `"a", "b" or "c"`. */
const choiceOf = (choices: readonly string[]): string =>
  choices.length === 1 ? choices.join() : `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;

function limitOf(origin: string, comparison: string, limit: number | bigint): string | undefined {
  if (origin === "number" || origin === "int") return `must be ${comparison} ${limit}`;
  if (origin === "string")
    return limit === 1 ? "must not be empty" : `must have ${comparison} ${limit} characters`;
  return origin === "array"
    ? `must have ${comparison} ${limit === 1 ? "one item" : `${limit} items`}`
    : undefined;
}
