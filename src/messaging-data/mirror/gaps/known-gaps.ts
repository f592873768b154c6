import type { DocumentStore } from "../../../control/document-store.js";
import { inSteps } from "../../../limits/in-steps.js";
import { ALL_APPS } from "../../../model/app-id.js";
import { byBytes } from "../../../model/by-bytes.js";
import type { Clock } from "../../../model/clock.js";
import { MirrorDocument } from "../mirror-document.js";
import type { MirrorGap, MirrorGaps } from "../mirror-gap.js";
import type { ProjectMirror } from "../mirror-state.js";
import { gapsOfApp, type MirrorTerms } from "./gaps-of-app.js";

/** Apps whose gaps are found in one step, which takes about a millisecond if they rest at weekends. */
const APPS_A_STEP = 10;

/**
 * Finds what is missing in the mirrors of the apps of a project, in the order of the contract. A list of apps that cannot be
 * read is a gap of all apps: without it, a mirror that never knew one would miss nothing.
 */
function* gapsInSteps(
  { listing, pause, apps }: ProjectMirror,
  terms: MirrorTerms,
  now: number,
): Generator<void, readonly MirrorGap[]> {
  const { failure } = listing;
  const ofList = { ...listing, since: failure?.since ?? now, days: [] };
  const gaps = failure === undefined ? [] : [...gapsOfApp(ALL_APPS, ofList, undefined, terms, now)];
  for (const [index, [appId, app]] of [...apps].entries()) {
    if (index % APPS_A_STEP === 0) yield;
    gaps.push(...gapsOfApp(appId, app, pause, terms, now));
  }
  return gaps.sort((a, b) => byBytes(a.appId, b.appId));
}

/** Finds them without holding up others, however many apps there are. */
export const gapsOfProject = (
  mirror: ProjectMirror,
  terms: MirrorTerms,
  now: number,
): Promise<readonly MirrorGap[]> => inSteps(gapsInSteps(mirror, terms, now));

/** The gaps in mirrors, found in the remembered days and attempts. */
export class KnownGaps implements MirrorGaps {
  readonly #documents: DocumentStore;
  readonly #terms: ReadonlyMap<string, MirrorTerms>;
  readonly #dayClock: Clock;

  /** @param terms the mirrors by project number. */
  constructor(documents: DocumentStore, terms: ReadonlyMap<string, MirrorTerms>, dayClock: Clock) {
    this.#documents = documents;
    this.#terms = terms;
    this.#dayClock = dayClock;
  }

  async read(project: string, appId?: string): Promise<readonly MirrorGap[]> {
    const terms = this.#terms.get(project);
    if (terms === undefined) return [];
    const mirror = await new MirrorDocument(this.#documents, project, terms.apps).read();
    const now = this.#dayClock.wall();
    if (appId === undefined) return gapsOfProject(mirror, terms, now);
    const app = mirror.apps.get(appId);
    return app === undefined ? [] : gapsOfApp(appId, app, mirror.pause, terms, now);
  }
}
