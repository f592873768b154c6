import { inSteps } from "../../limits/in-steps.js";
import {
  MAX_ORIGINAL_ANSWER_MS,
  MAX_ORIGINAL_APPS,
  MAX_ORIGINAL_ENTRIES,
  MAX_ORIGINAL_PAGE_BYTES,
  MAX_ORIGINAL_PAGES,
  MAX_ORIGINAL_SILENCE_MS,
} from "../../limits/limits.js";
import { ALL_APPS, isAppId } from "../../model/app-id.js";
import type { Clock } from "../../model/clock.js";
import type { Day } from "../../model/day.js";
import type { Credentials } from "./credentials.js";
import { failureOf } from "./failed-answer.js";
import { type AnswerLimits, fetchAnswer } from "./fetch-answer.js";
import { digestOf, type Original, type OriginalBody, OriginalError, type OriginalPage } from "./original.js";
import { isJsonObject } from "./page/known-fields.js";
import { PageProblems } from "./page/page-problems.js";
import { type Listing, readListing } from "./page/read-listing.js";
import { type ReadPage, readPage } from "./page/read-page.js";
import { SeenEntries } from "./page/seen-entries.js";
import { PageTrail } from "./page-trail.js";

/** Bounds of what is read of an original. */
export interface OriginalLimits extends AnswerLimits {
  readonly pages: number;
  /** Entries of an app, rounded up to a whole page. */
  readonly entries: number;
  readonly apps: number;
}

const LIMITS: OriginalLimits = {
  answerBytes: MAX_ORIGINAL_PAGE_BYTES,
  silenceMs: MAX_ORIGINAL_SILENCE_MS,
  answerMs: MAX_ORIGINAL_ANSWER_MS,
  pages: MAX_ORIGINAL_PAGES,
  entries: MAX_ORIGINAL_ENTRIES,
  apps: MAX_ORIGINAL_APPS,
};

/** Most entries that a page can have (specification 8). */
const PAGE_SIZE = "10000";

/** Names of the apps in a list: this service's, in ProtoJSON and in the contract, and Firebase Management's. */
const APPS = ["androidApps", "android_apps", "apps"];

export interface HttpOriginalOptions {
  /** Base address of the messaging-data service. */
  readonly url: string;
  /** The project there, by id or number. */
  readonly project: string;
  /** Address of the list of apps, if it is not the service's own. Its pages have `apps[].appId` or `androidApps[].appId`. */
  readonly appsUrl?: string | undefined;
  readonly credentials: Credentials;
  readonly clock: Clock;
  /** Returns the last day that an entry may have. */
  readonly today: () => Day;
  readonly limits?: OriginalLimits;
}

/** An original that is reached over HTTP, with the wire format of the contract. */
export class HttpOriginal implements Original {
  readonly #options: HttpOriginalOptions;
  readonly #limits: OriginalLimits;
  /** Address of the project's apps, without a slash at its end. */
  readonly #ownAppsUrl: string;

  constructor(options: HttpOriginalOptions) {
    this.#options = options;
    this.#limits = options.limits ?? LIMITS;
    const base = options.url.replace(/\/$/, "");
    this.#ownAppsUrl = `${base}/v1beta1/projects/${segmentOf(options.project)}/androidApps`;
  }

  async *pages(
    appId: string,
    signal: AbortSignal,
    keep: (page: OriginalBody) => Promise<void>,
    known?: string,
  ): AsyncGenerator<OriginalPage, void> {
    const address = `${this.#ownAppsUrl}/${segmentOf(appId)}/deliveryData`;
    const trail = new PageTrail(this.#limits.pages);
    const seen = new SeenEntries();
    let read: ReadPage;
    do {
      const url = pageUrl(address, { pageSize: PAGE_SIZE, pageToken: trail.pageToken });
      const body = await this.#get(url, signal);
      const page = { url: url.href, fetchedAt: this.#options.clock.wall(), body };
      await keep(page);
      if (known !== undefined && digestOf(body) === known) {
        yield { ...page, isKnown: true, entries: [], problems: [] };
        return;
      }
      const problems = new PageProblems();
      let unreadable: OriginalError | undefined;
      try {
        const expected = { appId, today: this.#options.today() };
        read = await inSteps(readPage(body, expected, problems), signal);
      } catch (error) {
        if (!(error instanceof OriginalError)) throw error;
        unreadable = error;
        problems.tell(error.message);
        read = { entries: [], nextPageToken: "" };
      }
      const entries = seen.add(read.entries, problems);
      yield { ...page, entries, problems: problems.texts };
      if (unreadable !== undefined) throw unreadable;
    } while (trail.follow(read.nextPageToken) && this.#hasRoom(seen));
  }

  async apps(signal: AbortSignal): Promise<readonly string[]> {
    const { appsUrl = this.#ownAppsUrl } = this.#options;
    const trail = new PageTrail(this.#limits.pages);
    const appIds = new Set<string>();
    let page: Listing;
    do {
      const body = await this.#get(pageUrl(appsUrl, { pageToken: trail.pageToken }), signal);
      page = readListing(body, APPS, new PageProblems());
      for (const app of page.items) {
        const appId = isJsonObject(app) ? (app.appId ?? app.app_id) : undefined;
        if (typeof appId !== "string")
          throw new OriginalError("form", "the list names an app without an appId");
        // No path can name any other.
        if (isAppId(appId) && appId !== ALL_APPS) appIds.add(appId);
      }
      if (appIds.size > this.#limits.apps) {
        throw new OriginalError("form", `the list names more than ${this.#limits.apps} apps`);
      }
    } while (trail.follow(page.nextPageToken));
    return [...appIds];
  }

  #hasRoom(seen: SeenEntries): true {
    if (seen.size < this.#limits.entries) return true;
    throw new OriginalError("form", `the app has more than ${this.#limits.entries} entries`);
  }

  async #get(url: URL, signal: AbortSignal): Promise<Uint8Array> {
    const { credentials, clock } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const headers = await credentials.headers(url, signal);
      headers.set("user-agent", "waybill");
      const answer = await fetchAnswer(url, headers, this.#limits, signal);
      if (answer.status === 200) return answer.body;
      if (answer.status === 401) {
        credentials.forget();
        // A token that was good may have been revoked.
        if (attempt === 1) continue;
      }
      const [, secret = ""] = headers.get("authorization")?.split(" ") ?? [];
      throw failureOf(answer, clock.wall(), secret);
    }
  }
}

/** Writes colons of app ids as they are, as the paths of the original have them. */
const segmentOf = (text: string): string => encodeURIComponent(text).replaceAll("%3A", ":");

/** Adds parameters to an address; empty ones are left out. */
function pageUrl(address: string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== "") url.searchParams.set(name, value);
  }
  return url;
}
