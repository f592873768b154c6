import { describe, expect, it, test } from "vitest";
import { ApiError } from "../api/api-error.js";
import type { ListParameters } from "./page-token-codec.js";
import { PageTokens } from "./page-tokens.js";

const HOUR = 3_600_000;
const LIST: ListParameters = { operation: "ListThings", parent: "things/1", pageSize: 10 };

let time = Date.UTC(2026, 2, 5, 12);
const tokensWith = ({ lenient = false, key = 1 } = {}): PageTokens =>
  new PageTokens({ key: Buffer.alloc(32, key), lenient, now: () => time });
const strict = tokensWith();
const lenient = tokensWith({ lenient: true });

/** Returns a token's position, or the reason for its rejection. */
function outcomeOf(tokens: PageTokens, text: string, list: ListParameters): unknown {
  try {
    return tokens.read(text, list);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { reason: error.reason, other: / another (\w+)/.exec(error.message)?.[1] };
  }
}
const invalid = { reason: "PAGE_TOKEN_INVALID", other: undefined };
const mismatch = (other: string) => ({ reason: "PAGE_TOKEN_MISMATCH", other });

describe("PageTokens", () => {
  it("read a token's position", () => {
    for (const after of ["", "thing 7", '["😀",-1]', "\u0000"]) {
      expect(strict.read(strict.tokenOf(LIST, after), LIST)).toBe(after);
    }
    expect(strict.read("", LIST)).toBeUndefined();
  });

  test.each<[string, Partial<ListParameters>, unknown, unknown]>([
    ["the same", {}, "x", "x"],
    ["another operation", { operation: "ListOthers" }, mismatch("operation"), mismatch("operation")],
    ["another parent", { parent: "things/2" }, mismatch("parent"), mismatch("parent")],
    ["a filter", { filter: "f" }, mismatch("filter"), mismatch("filter")],
    ["an empty filter", { filter: "" }, mismatch("filter"), mismatch("filter")],
    ["another moment", { asOf: 7 }, mismatch("asOf"), mismatch("asOf")],
    ["another page size", { pageSize: 11 }, mismatch("pageSize"), "x"],
    [
      "another parent and page size",
      { parent: "things/2", pageSize: 11 },
      mismatch("parent"),
      mismatch("parent"),
    ],
  ])("compare a token with the list that it is used for: %s", (_, change, ifStrict, ifLenient) => {
    const text = strict.tokenOf(LIST, "x");
    expect(outcomeOf(strict, text, { ...LIST, ...change })).toEqual(ifStrict);
    expect(outcomeOf(lenient, text, { ...LIST, ...change })).toEqual(ifLenient);
  });

  it("reject a token that is damaged, expired or encrypted with another key", () => {
    const text = strict.tokenOf(LIST, "x");
    expect(outcomeOf(strict, `${text}A`, LIST)).toEqual(invalid);
    expect(outcomeOf(lenient, "garbage", LIST)).toEqual(invalid);
    expect(outcomeOf(tokensWith({ key: 2 }), text, LIST)).toEqual(invalid);
    const epoch = strict.epoch;
    time += 72 * HOUR;
    expect(outcomeOf(strict, text, LIST)).toBe("x");
    time += HOUR;
    expect(outcomeOf(strict, text, LIST)).toEqual(invalid);
    expect(strict.epoch).toBe(epoch + 73);
  });
});
