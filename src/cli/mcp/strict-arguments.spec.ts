import { expect, test } from "vitest";
import * as z from "zod";
import { strictArguments } from "./strict-arguments.js";

const text = z.string().optional();
const SOME = strictArguments({ app: text, from: text, to: text, labels: text });

test.each([
  [SOME, { app: "a", fromm: "x" }, "fromm: unknown; did you mean from?"],
  [SOME, { Label: "x" }, "Label: unknown; did you mean labels?"],
  [SOME, { start: "x" }, "start: unknown; the arguments are app, from, to, labels"],
  [SOME, { form: 1, ap: 2 }, "form: unknown; did you mean from?, ap: unknown; did you mean app?"],
  [strictArguments({}), { app: "a" }, "app: unknown; the tool has no arguments"],
])("the tool arguments %# reject %j", (schema, value, message) => {
  const { error } = schema.safeParse(value);
  expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
});

test("the argument schema rejects unknown arguments", () => {
  expect(z.toJSONSchema(SOME)).toMatchObject({ additionalProperties: false });
});
