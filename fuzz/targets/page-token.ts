import { strictEqual } from "node:assert/strict";
import { PageTokens } from "../../src/paging/page-tokens.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { rejectionOf } from "../oracles/rejection.js";

const LIST = { operation: "list", parent: "projects/p/androidApps/a", pageSize: 1000 };
const tokens = new PageTokens({
  key: Buffer.alloc(32, 7),
  lenient: false,
  now: () => Date.UTC(2026, 2, 8),
});

/** Tokens of the list, by their position. */
const OWN = new Map(
  ["", "2026-03-01/spring", "é".repeat(100)].map((after) => [tokens.tokenOf(LIST, after), after]),
);
const FOREIGN = [
  tokens.tokenOf({ ...LIST, pageSize: 10 }, "x"),
  tokens.tokenOf({ ...LIST, parent: "projects/q/androidApps/a" }, "x"),
  tokens.tokenOf({ ...LIST, filter: "digest" }, "x"),
];

/** Anything but an unchanged token is rejected as invalid; a token continues at its position. */
export const pageToken: FuzzTarget = {
  name: "page-token",
  boundedInputs: 5_000,
  seeds: [...OWN.keys(), ...FOREIGN, "AA==", "a".repeat(64), `${[...OWN.keys()][0]}=`, "Ag"],
  words: ["=", "A", "_", "-", "+", "/", "\n", "é"],
  run(input) {
    const text = input.toString(input.length % 2 === 0 ? "utf8" : "latin1");
    if (text === "") strictEqual(tokens.read(text, LIST), undefined);
    else if (OWN.has(text)) strictEqual(tokens.read(text, LIST), OWN.get(text));
    else {
      const { reason, httpStatus } = rejectionOf(() => tokens.read(text, LIST));
      strictEqual(httpStatus, 400);
      strictEqual(reason, FOREIGN.includes(text) ? "PAGE_TOKEN_MISMATCH" : "PAGE_TOKEN_INVALID");
    }
  },
};
