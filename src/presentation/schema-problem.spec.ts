import { expect, it } from "vitest";
import * as z from "zod";
import { schemaProblem } from "./schema-problem.js";

const problemOf = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value, { error: schemaProblem }).error?.issues[0]?.message;

it.each<[schema: z.ZodType, value: unknown, problem: string]>([
  [z.string(), undefined, "is required"],
  [z.string(), 5, "must be a string, not a number"],
  [z.number(), "5", "must be a number, not a string"],
  [z.number().int(), 0.5, "must be an integer, not a number"],
  [z.boolean(), "on", "must be true or false, not a string"],
  [z.array(z.string()), {}, "must be a list, not an object"],
  [z.object({}), [], "must be an object, not a list"],
  [z.object({}), null, "must be an object, not null"],
  [z.literal("a"), "b", 'must be "a"'],
  [z.enum(["a", "b", "c"]), "d", 'must be "a", "b" or "c"'],
  [z.number().min(0), -1, "must be at least 0"],
  [z.number().positive(), 0, "must be more than 0"],
  [z.number().max(65_535), 65_536, "must be at most 65535"],
  [z.string().min(1), "", "must not be empty"],
  [z.string().max(3), "abcd", "must have at most 3 characters"],
  [z.array(z.string()).min(1), [], "must have at least one item"],
])("schemaProblem describes why %# does not fit: %j", (schema, value, problem) => {
  expect(problemOf(schema, value)).toBe(problem);
});

it("schemaProblem keeps a custom description", () => {
  const schema = z.string().refine(() => false, "must be even");
  expect(problemOf(schema, "a")).toBe("must be even");
});
