import type { Store } from "../../store.js";
import { describeAnswers } from "./answers-conformance.js";
import { describeMirrorRetention } from "./mirror-retention-conformance.js";
import { describeOriginals } from "./originals-conformance.js";
import { describeVersions } from "./versions-conformance.js";

/** Tests of what a mirror keeps, for any engine, given the store and a way to close and open it again. */
export function describeMirror(
  storeOf: () => Store,
  reopen: () => Promise<void>,
  runs: (all: number) => number,
): void {
  describeOriginals(storeOf, reopen);
  describeAnswers(storeOf, reopen, runs);
  describeVersions(storeOf, reopen, runs);
  describeMirrorRetention(storeOf);
}
