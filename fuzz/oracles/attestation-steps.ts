import { ok, strictEqual } from "node:assert/strict";
import type { Verification } from "../../src/integrity/attestation/steps.js";

/** Maximum length of a value in a step, in characters. */
const MAX_TEXT = 201;

/** Checks that the steps agree with the result, and have short, printable texts. */
export function checkSteps({ ok: passed, steps }: Verification<string, unknown>): void {
  strictEqual(
    passed,
    steps.every((step) => step.ok),
  );
  for (const { name, expected, found } of steps)
    for (const text of [expected, found]) {
      ok(text.length > 0 && text.length <= MAX_TEXT, `${name}: a text of ${text.length} characters`);
      ok(!/\p{Cc}/u.test(text), `${name}: control characters`);
    }
}
