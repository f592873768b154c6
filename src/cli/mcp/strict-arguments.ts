import * as z from "zod";
import { at } from "../../model/collections.js";
import { isLabel } from "../../model/names.js";
import { isDay } from "../list/filter.js";

export const APP = z.string().min(1).describe('Id of an Android app; "-" stands for all apps of the project');

export const LABEL = z
  .string()
  .refine((text) => text === "" || isLabel(text), "must be an analytics label, or empty")
  .describe('Analytics label; "" stands for messages without a label');

export const DAY = z.string().refine(isDay, "must be a date, YYYY-MM-DD");

export const RANGE = {
  from: DAY.optional().describe("First day, YYYY-MM-DD. Default: six days before the last"),
  to: DAY.optional().describe("Last day, YYYY-MM-DD. Default: the last day with data"),
};

/**
 * Creates a tool's argument schema. If an argument is unknown, the error suggests the known argument with the most
 * similar name.
 */
export function strictArguments<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return undefined;
      const keys = issue.keys as readonly string[];
      return keys.map((key) => `${key}: unknown; ${hintFor(key, known)}`).join(", ");
    },
  });
}

function hintFor(key: string, known: readonly string[]): string {
  if (known.length === 0) return "the tool has no arguments";
  const [nearest] = known
    .map((name) => ({ name, distance: distanceOf(key.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => 2 * distance <= name.length)
    .sort((a, b) => a.distance - b.distance);
  return nearest === undefined ? `the arguments are ${known.join(", ")}` : `did you mean ${nearest.name}?`;
}

/** Returns the Levenshtein distance between two strings. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = at(row, j - 1) + Number(from[i - 1] !== to[j - 1]);
      next.push(Math.min(replaced, at(row, j) + 1, at(next, j - 1) + 1));
    }
    row = next;
  }
  return at(row, to.length);
}
