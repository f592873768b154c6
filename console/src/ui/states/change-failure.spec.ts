import { WaybillError } from "@waybill/client";
import { describe, expect, it } from "vitest";
import { changeProblem, conflictOf } from "./change-failure.js";

describe("conflictOf", () => {
  const aborted = { code: "ABORTED", reason: "ETAG_MISMATCH", message: "No." } as const;

  it("explains that somebody else was first", () => {
    expect(conflictOf(new WaybillError(aborted))).toMatch(/^Nothing was changed: somebody else/);
  });

  it("does not blame somebody else after a lost response", () => {
    const cause = new WaybillError({ code: "UNAVAILABLE", message: "No.", outcomeUnknown: true });
    expect(conflictOf(new WaybillError({ ...aborted, cause }))).toMatch(
      /your change may already have been made/,
    );
  });

  it("is undefined for other errors", () => {
    expect(conflictOf(new WaybillError({ code: "NOT_FOUND", message: "No." }))).toBeUndefined();
    expect(conflictOf(new TypeError("no"))).toBeUndefined();
  });
});

describe("changeProblem", () => {
  it("explains that a project needs an owner", () => {
    const error = new WaybillError({ code: "FAILED_PRECONDITION", reason: "LAST_OWNER", message: "No." });
    expect(changeProblem(error)).toBe("The project needs an owner. Make somebody else an owner first.");
  });

  it("warns before a repetition if the outcome is unknown", () => {
    const error = new WaybillError({ code: "UNAVAILABLE", message: "No.", outcomeUnknown: true });
    expect(changeProblem(error)).toMatch(/^No\. The change may still have been made/);
  });

  it("throws errors that no service reported", () => {
    expect(() => changeProblem(new TypeError("no"))).toThrow(TypeError);
  });
});
