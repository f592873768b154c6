import { setImmediate as nextTick } from "node:timers/promises";
import type { Records } from "../../control/records.js";
import type { Clock } from "../../model/clock.js";
import { byBytes } from "../../model/collections.js";
import { ALL_APPS } from "../../model/names.js";
import { MirrorDocument } from "../mirror-document.js";
import type { AppMirror, ProjectMirror } from "../mirror-state.js";
import { gapsOfApp, type MirrorTerms } from "./gaps-of-app.js";
import { byPlace, type GapSelection, type MirrorGap, type MirrorGaps } from "./mirror-gap.js";

/**
 * Number of apps to process in one event loop tick. If the apps have no entries at weekends, they need about a
 * millisecond.
 */
const APPS_PER_TICK = 10;

/**
 * Finds gaps in a project's mirror lazily, app by app. Lets other work run in between, even if there are many apps.
 *
 * @param mirror state of the mirror. If the gaps must be in order, its apps must be sorted in byte order.
 * @param now time of the clock that days follow, in milliseconds since 1970.
 */
export async function* gapsByApp(
  mirror: ProjectMirror,
  terms: MirrorTerms,
  now: number,
  { appId: selected, after }: GapSelection = {},
): AsyncGenerator<readonly MirrorGap[], void> {
  let apps = 0;
  for (const [appId, app] of appsOf(mirror, selected)) {
    if (after !== undefined && byBytes(appId, after.appId) < 0) continue;
    if (apps++ % APPS_PER_TICK === 0) await nextTick();
    const gaps = gapsOfApp(appId, app, appId === ALL_APPS ? undefined : mirror.pause, terms, now);
    yield after === undefined ? gaps : gaps.filter((gap) => byPlace(gap, after) > 0);
  }
}

/**
 * Returns one app, or all apps. If upstream's app list cannot be read, that is a gap of all apps. Otherwise, a mirror
 * that has never received an app list would have no gaps.
 */
function appsOf(
  { listing, apps }: ProjectMirror,
  selected: string | undefined,
): Iterable<readonly [appId: string, app: AppMirror]> {
  if (selected !== undefined) {
    const app = apps.get(selected);
    return app === undefined ? [] : [[selected, app]];
  }
  if (listing.failure === undefined) return apps;
  const ofList = { ...listing, since: listing.failure.since, days: [] };
  return [[ALL_APPS, ofList] as const, ...apps].sort(([a], [b]) => byBytes(a, b));
}

/** Finds gaps from the recorded state of mirrors: days with entries, and attempts to read them. */
export class KnownGaps implements MirrorGaps {
  readonly #mirrors: ReadonlyMap<string, { readonly document: MirrorDocument; readonly terms: MirrorTerms }>;
  readonly #dayClock: Clock;

  /** @param termsOf returns the mirror settings for a project number. */
  constructor(
    records: Pick<Records, "get" | "change">,
    termsOf: ReadonlyMap<string, MirrorTerms>,
    dayClock: Clock,
  ) {
    this.#mirrors = new Map(
      [...termsOf].map(([project, terms]) => {
        return [project, { document: new MirrorDocument(records, project, terms.apps), terms }];
      }),
    );
    this.#dayClock = dayClock;
  }

  async *read(project: string, selection?: GapSelection): AsyncGenerator<readonly MirrorGap[], void> {
    const mirror = this.#mirrors.get(project);
    if (mirror === undefined) return;
    yield* gapsByApp(await mirror.document.read(), mirror.terms, this.#dayClock.wall(), selection);
  }
}
