import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { fromJsonString } from "@bufbuild/protobuf";
import { AndroidDeliveryDataSchema } from "../../src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { EntryForms } from "../../src/mirror/upstream/entry-form.js";
import { PageProblems } from "../../src/mirror/upstream/known-fields.js";
import { type ReadPage, readPage } from "../../src/mirror/upstream/read-page.js";
import { UpstreamError } from "../../src/mirror/upstream/upstream.js";
import { dayOfCivil } from "../../src/model/day.js";
import { COUNTS } from "../../src/store/delivery-data-store.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";

const EXPECTED = { appId: "a", today: dayOfCivil(2026, 11, 22) };
const MESSAGE =
  '"messageOutcomePercents":{"delivered":25,"pending":0.1},"messageInsightPercents":{"priorityLowered":1}';
const DATA = `"data":{"countMessagesAccepted":"8",${MESSAGE},"countNotificationsAccepted":"3"}`;
const ENTRY = `{"appId":"a","date":{"year":2026,"month":11,"day":21},"analyticsLabel":"b",${DATA}}`;

/** Another service's page is read or rejected. Kept pages are complete, and read back unchanged. */
export const mirroredPage: FuzzTarget = {
  name: "mirrored-page",
  boundedInputs: 5_000,
  seeds: [
    `{"androidDeliveryData":[${ENTRY}],"nextPageToken":"t"}`,
    `{"androidDeliveryData":[${ENTRY},{"appId":"a","date":{"year":2026},"data":{}}]}`,
    '{"android_delivery_data":[{"app_id":"a","date":{"year":"2024","month":2,"day":29},"analytics_label":""}]}',
    "{}",
    "<html>",
  ],
  words: [
    ...["null", "NaN", '"NaN"', "1e400", "-0", "{}", "[]", "9007199254740993", "100.1", "\ud800"],
    ...["\\ud800", "0"],
  ],
  run(input) {
    const problems = new PageProblems();
    const forms = new EntryForms();
    const page = readOrReject(input, problems, forms);
    for (const text of problems.texts) ok(text.length < 400 && !/\p{Cc}/u.test(text), text);
    if (page === undefined) return;
    for (const { appId, day, label, original, counts = [] } of page.entries) {
      const message = fromJsonString(AndroidDeliveryDataSchema, original);
      deepStrictEqual([appId, message.appId, message.analyticsLabel], ["a", "a", label]);
      ok(day <= EXPECTED.today, original);
      ok(counts.length === 0 || counts.length === COUNTS.length, original);
      ok(
        counts.every((count) => Number.isSafeInteger(count) && count >= 0),
        original,
      );
    }
    // Reads the same entries by form.
    const known = new PageProblems();
    deepStrictEqual(readOrReject(input, known, forms), page);
    deepStrictEqual(known.texts, problems.texts);
    const again = new PageProblems();
    const originals = page.entries.map(({ original }) => original).join(",");
    const kept = readOrReject(Buffer.from(`{"androidDeliveryData":[${originals}]}`), again, forms);
    deepStrictEqual(kept?.entries, page.entries);
    deepStrictEqual(again.texts, []);
  },
};

function readOrReject(body: Buffer, problems: PageProblems, forms: EntryForms): ReadPage | undefined {
  try {
    const steps = readPage(body, EXPECTED, problems, forms);
    for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
  } catch (error) {
    ok(error instanceof UpstreamError, String(error));
    strictEqual(error.kind, "form");
    ok(error.message.length < 400 && !/\p{Cc}/u.test(error.message), error.message);
    return undefined;
  }
}
