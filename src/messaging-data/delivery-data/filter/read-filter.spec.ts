import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { ApiError } from "../../../api/api-error.js";
import { Code } from "../../../gen/google/rpc/code_pb.js";
import { civilDate, dayOfCivil, FIRST_DAY, LAST_DAY } from "../../../model/day.js";
import type { Comparison, EntryFilter } from "../../../store/delivery-data-store.js";
import { naiveMatches } from "../../../store/testing/naive-filter.js";
import { ENTRY_FILTERS } from "./entry-filters.js";
import { readFilter } from "./read-filter.js";

const conditionOf = (text: string): EntryFilter | undefined => readFilter(text, ENTRY_FILTERS)?.condition;

const day = (comparison: Comparison, year: number, month: number, dayOfMonth: number): EntryFilter => ({
  kind: "day",
  comparison,
  day: dayOfCivil(year, month, dayOfMonth),
});
const label = (text: string, comparison: Comparison = "="): EntryFilter => ({
  kind: "label",
  comparison,
  label: text,
});
const pattern = (...pieces: string[]): EntryFilter => ({ kind: "pattern", pieces });
const and = (...operands: EntryFilter[]): EntryFilter => ({ kind: "and", operands });
const or = (...operands: EntryFilter[]): EntryFilter => ({ kind: "or", operands });
const not = (operand: EntryFilter): EntryFilter => ({ kind: "not", operand });

const [a, b, c, d] = ["a", "b", "c", "d"].map((text) => label(text)) as [
  EntryFilter,
  EntryFilter,
  EntryFilter,
  EntryFilter,
];
/** Replaces each single letter with a comparison. */
const spelled = (text: string): string => text.replace(/\b[a-d]\b/g, 'analyticsLabel = "$&"');

describe("readFilter", () => {
  test.each(["", " ", "\t\r\n "])("returns undefined for the blank filter %j", (text) => {
    expect(readFilter(text, ENTRY_FILTERS)).toBeUndefined();
  });

  test.each([
    ["dates with =", 'date = "2025-03-01"', day("=", 2025, 3, 1)],
    ["dates with !=", 'date != "2025-03-01"', day("!=", 2025, 3, 1)],
    ["dates with <", 'date < "2025-03-01"', day("<", 2025, 3, 1)],
    ["dates with <=", 'date <= "2025-03-01"', day("<=", 2025, 3, 1)],
    ["dates with >", 'date > "2025-03-01"', day(">", 2025, 3, 1)],
    ["dates with >=", 'date >= "2025-03-01"', day(">=", 2025, 3, 1)],
    ["dates with :", 'date:"2025-03-01"', day("=", 2025, 3, 1)],
    ["dates without quotes", "date>=2025-03-01", day(">=", 2025, 3, 1)],
    ["dates in single quotes", "date='2025-03-01'", day("=", 2025, 3, 1)],
    ["the first possible date", "date = 0001-01-01", day("=", 1, 1, 1)],
    ["the last possible date", "date = 9999-12-31", day("=", 9999, 12, 31)],
    ["a leap day", "date = 2024-02-29", day("=", 2024, 2, 29)],
    ["presence of a date", "date:*", and()],
    ["labels", 'analyticsLabel = "spring"', label("spring")],
    ["labels by their field's name in the contract", 'analytics_label = "spring"', label("spring")],
    ["labels without quotes", "analyticsLabel=news.v2", label("news.v2")],
    [
      "labels with every kind of character",
      'analyticsLabel = "100%off_re~engage-7.day"',
      label("100%off_re~engage-7.day"),
    ],
    ["a label with a leading minus", "analyticsLabel = -7", label("-7")],
    ["a label that is a keyword", 'analyticsLabel = "NOT"', label("NOT")],
    ["a label that looks like a date", "analyticsLabel = 2025-03-01", label("2025-03-01")],
    ["labels that no message can have", 'analyticsLabel = "été \\"x\\" \\\\ \'"', label('été "x" \\ \'')],
    ["labels with single quotes inside", "analyticsLabel = 'a \\' b'", label("a ' b")],
    ["the empty label", 'analyticsLabel = ""', label("")],
    ["presence of a label", "analyticsLabel:*", label("", "!=")],
    ["presence of a label, in quotes", 'analyticsLabel:"*"', label("", "!=")],
    ["labels with :", "analyticsLabel:spring", label("spring")],
    ["labels with <", 'analyticsLabel < "m"', label("m", "<")],
    ["labels with <=", 'analyticsLabel <= "m"', label("m", "<=")],
    ["labels with >", 'analyticsLabel > "m"', label("m", ">")],
    ["labels with >=", 'analyticsLabel >= "m"', label("m", ">=")],
    ["labels with !=", 'analyticsLabel != "m"', label("m", "!=")],
    ["the beginning of labels", 'analyticsLabel = "spring*"', pattern("spring", "")],
    ["the end of labels", 'analyticsLabel = "*-2025"', pattern("", "-2025")],
    ["text inside labels", 'analyticsLabel = "*sale*"', pattern("", "sale", "")],
    ["both ends of labels", 'analyticsLabel = "a*b"', pattern("a", "b")],
    ["several pieces of labels", 'analyticsLabel = "a*b**c***"', pattern("a", "b", "c", "")],
    ["wildcards without quotes", "analyticsLabel = spring*", pattern("spring", "")],
    ["wildcards with :", "analyticsLabel:spring*", pattern("spring", "")],
    ["labels with a lone wildcard", 'analyticsLabel = "*"', pattern("", "")],
    ["labels that do not match a pattern", 'analyticsLabel != "spring*"', not(pattern("spring", ""))],
  ])("reads the comparison %s: %s", (_, text, expected) => {
    expect(conditionOf(text)).toEqual(expected);
  });

  test.each([
    ["a AND b", and(a, b)],
    ["a b", and(a, b)],
    ["a  \n b AND c", and(a, b, c)],
    ["a OR b", or(a, b)],
    ["a OR b OR c", or(a, b, c)],
    // OR binds tighter than AND (AIP-160).
    ["a AND b OR c", and(a, or(b, c))],
    ["a OR b AND c", and(or(a, b), c)],
    ["a b OR c d", and(a, or(b, c), d)],
    ["a AND b OR c AND d", and(a, or(b, c), d)],
    ["(a AND b) OR c", or(and(a, b), c)],
    ["NOT a", not(a)],
    ["-a", not(a)],
    ["- a", not(a)],
    ["NOT a OR b", or(not(a), b)],
    ["a OR -b", or(a, not(b))],
    ["a -b", and(a, not(b))],
    ["NOT a AND b", and(not(a), b)],
    ["NOT (a OR b)", not(or(a, b))],
    ["NOT(a)AND(b)", and(not(a), b)],
    ["-(a b)", not(and(a, b))],
    ["NOT (NOT a)", not(not(a))],
    ["((((a))))", a],
    ["(a)(b)", and(a, b)],
    ["(a OR b) AND (c OR d)", and(or(a, b), or(c, d))],
  ])("combines comparisons as in %s", (text, expected) => {
    expect(conditionOf(spelled(text))).toEqual(expected);
  });

  test.each([
    ['analyticsLabel = ("a" OR "b")', or(a, b)],
    ["analyticsLabel:(a b -c)", and(a, b, not(c))],
    ["analyticsLabel = (a OR (NOT b AND c))", or(a, and(not(b), c))],
    ["analyticsLabel = (a* OR *b)", or(pattern("a", ""), pattern("", "b"))],
    ["NOT date = (2025-03-01 OR 2025-03-02)", not(or(day("=", 2025, 3, 1), day("=", 2025, 3, 2)))],
  ])("compares a field with several values as in %s", (text, expected) => {
    expect(conditionOf(text)).toEqual(expected);
  });

  it("trims only the white space of the filter language", () => {
    const texts = ["analyticsLabel = a", "analyticsLabel = a\u00a0", "analyticsLabel = a\ufeff"];
    const read = texts.map((text) => readFilter(text, ENTRY_FILTERS));
    expect(read.map((filter) => filter?.condition)).toEqual([label("a"), label("a\u00a0"), label("a\ufeff")]);
    expect(new Set(read.map((filter) => filter?.digest)).size).toBe(3);
    expect(rejection("\u00a0").message).toContain("is not part of a comparison");
  });

  it("returns a digest that depends on the filter text, but not on surrounding white space", () => {
    const texts = ["date = 2025-03-01", "date = 2025-03-02", "date=2025-03-01", 'analyticsLabel = ""'];
    const digests = texts.map((text) => readFilter(text, ENTRY_FILTERS)?.digest);
    expect(new Set(digests).size).toBe(texts.length);
    expect(texts.map((text) => readFilter(` ${text}\n`, ENTRY_FILTERS)?.digest)).toEqual(digests);
    for (const digest of digests) expect(digest).toMatch(/^[\w-]{22}$/);
  });
});

function rejection(text: string): ApiError {
  try {
    readFilter(text, ENTRY_FILTERS);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("the filter was not rejected");
}

describe("readFilter rejects", () => {
  test.each([
    ["delivered > 5", 1, 'there is no field "delivered" to filter by; use date or analyticsLabel'],
    ["appId = x", 1, 'there is no field "appId" to filter by; use date or analyticsLabel'],
    ["Date = 2025-03-01", 1, 'there is no field "Date" to filter by; use date or analyticsLabel'],
    ["date.year = 2025", 1, 'there is no field "date.year" to filter by; use date or analyticsLabel'],
    ["date: * x:y", 9, 'there is no field "x" to filter by; use date or analyticsLabel'],
    ['"date" = 2025-03-01', 1, "a comparison begins with a field name, without quotes"],
    ["date = 2025-02-30", 8, '"2025-02-30" is not a calendar date in the form "YYYY-MM-DD"'],
    ["date = 2023-02-29", 8, '"2023-02-29" is not a calendar date in the form "YYYY-MM-DD"'],
    ["date = 2025-13-01", 8, '"2025-13-01" is not a calendar date in the form "YYYY-MM-DD"'],
    ["date = 2025-00-01", 8, '"2025-00-01" is not a calendar date in the form "YYYY-MM-DD"'],
    ["date = 0000-01-01", 8, '"0000-01-01" is not a calendar date in the form "YYYY-MM-DD"'],
    ["date = 2025-3-1", 8, '"2025-3-1" is not a calendar date in the form "YYYY-MM-DD"'],
    ["date = 2025-03", 8, '"2025-03" is not a calendar date in the form "YYYY-MM-DD"'],
    ['date = " 2025-03-01"', 8, '" 2025-03-01" is not a calendar date in the form "YYYY-MM-DD"'],
    ['date = "2025-03-*"', 8, '"2025-03-*" is not a calendar date in the form "YYYY-MM-DD"'],
    ['date = "*"', 8, '"*" is not a calendar date in the form "YYYY-MM-DD"'],
    ['date = ""', 8, '"" is not a calendar date in the form "YYYY-MM-DD"'],
    ["date = 2025-03-01T00:00:00Z", 21, '":" is unexpected here'],
    ['analyticsLabel < "a*"', 18, '"*" is a wildcard only with "=", "!=" and ":", not with "<"'],
    ["spring", 1, '"spring" is not part of a comparison'],
    ['"spring sale"', 1, '"spring sale" is not part of a comparison'],
    ["date", 1, '"date" is not part of a comparison'],
    ["date 2025-03-01", 1, '"date" is not part of a comparison'],
    ["42", 1, '"42" is not part of a comparison'],
    ["date:* and date:*", 8, "write AND in capital letters"],
    ["not date:*", 1, "write NOT in capital letters"],
    ["date =", 7, "a value is missing at the end"],
    ["date = AND date:*", 8, 'a value is missing before "AND"'],
    ["date = )", 8, 'a value is missing before ")"'],
    ["date == 2025-03-01", 7, 'a value is missing before "="'],
    ["= 2025-03-01", 1, 'a comparison is missing before "="'],
    ["date = 2025-03-01 = 2025-03-01", 19, '"=" is unexpected here'],
    ["date:* AND", 11, "a comparison is missing at the end"],
    ["date:* OR", 10, "a comparison is missing at the end"],
    ["AND date:*", 1, 'a comparison is missing before "AND"'],
    ["date:* AND OR date:*", 12, 'a comparison is missing before "OR"'],
    ["date:* AND AND date:*", 12, 'a comparison is missing before "AND"'],
    ["NOT", 4, "a comparison is missing at the end"],
    ["NOT NOT date:*", 5, 'a comparison is missing before "NOT"'],
    ["--date:*", 2, 'a comparison is missing before "-"'],
    ["date:*, date:*", 7, '"," is unexpected here'],
    ["(date:*", 1, 'this "(" is not closed'],
    ["((date:*)", 1, 'this "(" is not closed'],
    ["date:*)", 7, 'this ")" has no matching "("'],
    ["()", 2, 'a comparison is missing before ")"'],
    ["(date:*, date:*)", 8, '"," is unexpected here'],
    ["date = (date = 2025-03-01)", 9, '"date" can only be compared with values, not with comparisons'],
    ["analyticsLabel != (a OR b)", 20, '"!=" accepts one value; use NOT and "=" for several'],
    ["date = today()", 8, "functions are not supported"],
    ["matches(analyticsLabel)", 1, "functions are not supported"],
    ["analyticsLabel = 'a", 18, "the quote is not closed"],
    ['analyticsLabel = "a\\"', 18, "the quote is not closed"],
    ['analyticsLabel = "\\*"', 19, "a backslash must be followed by a quote or another backslash"],
    ['analyticsLabel = "a\\', 20, "a backslash must be followed by a quote or another backslash"],
    ["analyticsLabel ! a", 16, '"!" is only valid in "!="; negate with NOT or -'],
    ["date:* 😀", 8, '"😀" is not part of a comparison'],
    ["analyticsLabel = '😀' OR date = x", 32, '"x" is not a calendar date in the form "YYYY-MM-DD"'],
    ["\u0000\u0007", 1, '"��" is not part of a comparison'],
    ["x".repeat(100), 1, `"${"x".repeat(64)}…" is not part of a comparison`],
  ])("the filter %s", (text, position, complaint) => {
    const error = rejection(text);
    const description = `at character ${position}: ${complaint}`;
    expect(error).toMatchObject({ code: Code.INVALID_ARGUMENT, reason: "INVALID_FILTER" });
    expect(error.violations).toEqual([{ field: "filter", description }]);
    expect(error.message).toBe(`Invalid filter: ${description}`);
  });
});

describe("readFilter limits", () => {
  const times = (count: number, text: string, separator = ""): string =>
    Array.from({ length: count }, () => text).join(separator);
  const quoted = (count: number): string => `analyticsLabel = "${times(count, "x")}"`;

  test.each([
    ["characters", quoted(4_000 - 19), quoted(4_000 - 18), "a filter may have at most 4000 characters"],
    [
      "comparisons",
      times(50, "date:*", " "),
      times(51, "date:*", " "),
      "a filter may have at most 50 comparisons and values",
    ],
    [
      "values",
      `date = (${times(49, "2025-03-01", " OR ")})`,
      `date = (${times(50, "2025-03-01", " OR ")})`,
      "a filter may have at most 50 comparisons and values",
    ],
    [
      "parentheses",
      `${times(20, "(")}date:*${times(20, ")")}`,
      `${times(21, "(")}date:*${times(21, ")")}`,
      "parentheses may be nested at most 20 deep",
    ],
    [
      "parentheses one after the other",
      times(50, "(date:*)"),
      times(51, "(date:*)"),
      "a filter may have at most 50 comparisons and values",
    ],
    [
      "wildcards",
      times(4, "analyticsLabel = *a*b*c*d*", " OR "),
      `${times(4, "analyticsLabel = *a*b*c*d*", " OR ")} OR analyticsLabel = a*`,
      "a filter may have at most 20 wildcards",
    ],
  ])("reject %s", (_, fits, tooMuch, complaint) => {
    expect(readFilter(fits, ENTRY_FILTERS)).toBeDefined();
    expect(rejection(tooMuch).message).toContain(complaint);
  });

  test.each(["(", "-", "NOT ", "a", "=", "a=", "*", '"', "\\", "a OR ", "a AND ", "(a OR ", "😀", " "])(
    "reject a million repetitions of %j",
    (text) => {
      const filter = times(1_000_000, text);
      if (filter.trim() === "") expect(readFilter(filter, ENTRY_FILTERS)).toBeUndefined();
      else expect(rejection(filter).message).toContain("a filter may have at most 4000 characters");
    },
  );
});

describe("readFilter", () => {
  const anyDay = fc.integer({ min: FIRST_DAY, max: LAST_DAY });
  const comparison = fc.constantFrom<Comparison[]>("=", "!=", "<", "<=", ">", ">=");
  const text = fc.stringMatching(/^[ab._%~"'\\ -]{0,4}$/);
  const { filter } = fc.letrec<{ filter: EntryFilter }>((tie) => {
    const operands = fc.array(tie("filter"), { minLength: 2, maxLength: 3 });
    return {
      filter: fc.oneof(
        { depthSize: "small", maxDepth: 3 },
        fc.record({ kind: fc.constant("day" as const), comparison, day: anyDay }),
        fc.record({ kind: fc.constant("label" as const), comparison, label: text }),
        fc
          .tuple(
            text,
            fc.array(
              text.filter((piece) => piece !== ""),
              { maxLength: 1 },
            ),
            text,
          )
          .map(([first, between, last]) => pattern(first, ...between, last)),
        fc.record({ kind: fc.constantFrom("and" as const, "or" as const), operands }),
        fc.record({ kind: fc.constant("not" as const), operand: tie("filter") }),
      ),
    };
  });
  const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
  const dateText = (day: number): string => {
    const { year, month, day: dayOfMonth } = civilDate(day);
    const pad = (value: number, length: number) => String(value).padStart(length, "0");
    return `${pad(year, 4)}-${pad(month, 2)}-${pad(dayOfMonth, 2)}`;
  };
  function write(filter: EntryFilter): string {
    switch (filter.kind) {
      case "day":
        return `date ${filter.comparison} ${dateText(filter.day)}`;
      case "label":
        return `analyticsLabel${filter.comparison}${quote(filter.label)}`;
      case "pattern":
        return `analytics_label:${quote(filter.pieces.join("*"))}`;
      case "not":
        return `NOT (${write(filter.operand)})`;
      default:
        return filter.operands
          .map((operand) => `(${write(operand)})`)
          .join(filter.kind === "and" ? " AND " : " OR ");
    }
  }

  it("reads any filter back as it was written", () => {
    fc.assert(
      fc.property(filter, anyDay, text, (filter, day, label) => {
        const written = write(filter);
        // A single star after ":" would test for presence instead.
        fc.pre(written.length <= 4_000 && !written.includes(':"*"'));
        const read = conditionOf(written);
        expect(read && naiveMatches(read, { day, label })).toBe(naiveMatches(filter, { day, label }));
        expect(read).toEqual(filter);
      }),
      { numRuns: 1000 },
    );
  });

  it("either reads a random text or rejects it with INVALID_FILTER", () => {
    const word = fc.constantFrom(
      ...["date", "analyticsLabel", "x", "2025-03-01", '"a*"', "''", "=", "!=", "<", ">=", ":", "*", ","],
      ...["AND", "OR", "NOT", "-", "(", ")", " ", '"', "\\", "é"],
    );
    const soup = fc.oneof(
      fc.array(word, { maxLength: 12 }).map((words) => words.join(" ")),
      fc.array(word, { maxLength: 12 }).map((words) => words.join("")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(soup, (text) => {
        try {
          readFilter(text, ENTRY_FILTERS);
        } catch (error) {
          expect(error).toMatchObject({ reason: "INVALID_FILTER" });
        }
      }),
      { numRuns: 3000 },
    );
  });
});
