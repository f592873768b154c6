import type { Store } from "../../../store.js";
import { describeMirrorRetention } from "./mirror-retention-conformance.js";
import { describeOriginals } from "./originals-conformance.js";
import { describeResponses } from "./responses-conformance.js";
import { describeVersions } from "./versions-conformance.js";

/** Tests mirror data for any engine, with a function that reopens the store. */
export function describeMirror(
  storeOf: () => Store,
  reopen: () => Promise<void>,
  runs: (all: number) => number,
): void {
  describeOriginals(storeOf, reopen);
  describeResponses(storeOf, reopen, runs);
  describeVersions(storeOf, reopen, runs);
  describeMirrorRetention(storeOf);
}
