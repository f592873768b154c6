import { describe, expect, test } from "vitest";
import { parsePathTemplate } from "./path-template.js";

/** A template's segments as text: literals, `*` and `**`. */
const segmentsOf = (text: string): string[] =>
  parsePathTemplate(text).segments.map((segment) => {
    if (segment.kind === "literal") return segment.text;
    return segment.kind === "one" ? "*" : "**";
  });

describe("a path template", () => {
  test.each<[template: string, segments: string[]]>([
    ["/v1/messages", ["v1", "messages"]],
    ["/v1/*/x", ["v1", "*", "x"]],
    ["/**", ["**"]],
    ["/v1/{name}", ["v1", "*"]],
    ["/v1/{name=*}", ["v1", "*"]],
    ["/v1/{name=**}", ["v1", "**"]],
    ["/v1/{name=messages/*}", ["v1", "messages", "*"]],
    ["/v1/{name=shelves/*/books/**}:move", ["v1", "shelves", "*", "books", "**"]],
    ["/v1/{a}/x/{b=y/*}", ["v1", "*", "x", "y", "*"]],
    ["/v1/a%2Fb/~c-d_e.f", ["v1", "a%2Fb", "~c-d_e.f"]],
  ])("%s has the segments %j", (template, segments) => {
    expect(segmentsOf(template)).toEqual(segments);
  });

  test.each<
    [template: string, fieldPath: string, start: number, end: number, single: boolean, open: boolean]
  >([
    ["/v1/{name}", "name", 1, 2, true, false],
    ["/v1/{name=*}", "name", 1, 2, true, false],
    ["/v1/{name=a/*}", "name", 1, 3, false, false],
    ["/v1/{name=**}", "name", 1, 2, false, true],
    [
      "/v1/{book.author.display_name=authors/**}/".slice(0, -1),
      "book.author.display_name",
      1,
      3,
      false,
      true,
    ],
  ])("%s binds %s", (template, fieldPath, start, end, single, open) => {
    expect(parsePathTemplate(template).variables).toMatchObject([{ fieldPath, start, end, single, open }]);
  });

  test.each<[template: string, ids: [collection: string, index: number][]]>([
    ["/v1/{name}", []],
    ["/v1/{name=a/*}", [["a", 1]]],
    [
      "/v1/{name=a/*/b/*/c}",
      [
        ["a", 1],
        ["b", 3],
      ],
    ],
    ["/v1/a/{name=*/b/**}", []],
  ])("%s has ids of the collections %j", (template, ids) => {
    const [variable] = parsePathTemplate(template).variables;
    expect(variable?.ids).toEqual(ids.map(([collection, index]) => ({ collection, index })));
  });

  test.each<[template: string, verb: string | undefined]>([
    ["/v1/{name=a/*}:move", "move"],
    ["/v1/a:move", "move"],
    ["/v1/**:list", "list"],
    ["/v1/a", undefined],
  ])("%s has the verb %s", (template, verb) => {
    expect(parsePathTemplate(template).verb).toBe(verb);
  });

  test.each<[template: string, problem: string]>([
    ["", 'expected "/" at column 1'],
    ["v1/a", 'expected "/" at column 1'],
    ["/", "expected a segment at column 2"],
    ["/v1/", "expected a segment at column 5"],
    ["/v1//a", "expected a segment at column 5"],
    ["/v1/**/a", "** must be the last part of the path at column 8"],
    ["/v1/{name=**}/a", "** must be the last part of the path"],
    ["/v1/{name=a/**/b}", "** must be the last part of the path"],
    ["/v1/{name", 'expected "}"'],
    ["/v1/{}", "expected a field name"],
    ["/v1/{a.}", "expected a field name"],
    ["/v1/{1a}", "expected a field name"],
    ["/v1/{a=}", "expected a segment"],
    ["/v1/{a={b}}", "a variable must not contain another variable"],
    ["/v1/{a}/{a}", "variable a is repeated"],
    ["/v1/{a}b", 'unexpected "b"'],
    ["/v1/***", 'unexpected "*"'],
    ["/v1/a*", 'unexpected "*"'],
    ["/v1/a:", "expected a verb"],
    ["/v1/a:b:c", 'unexpected ":"'],
    ["/v1/a:b/c", 'unexpected "/"'],
    ["/v1/a b", 'unexpected " "'],
    ["/v1/a%2", 'unexpected "%"'],
    ["/v1/a?b", 'unexpected "?"'],
  ])("%j is rejected: %s", (template, problem) => {
    expect(() => parsePathTemplate(template)).toThrow(problem);
  });
});
