import {
  MAX_UPSTREAM_APPS,
  MAX_UPSTREAM_ENTRIES,
  MAX_UPSTREAM_PAGE_BYTES,
  MAX_UPSTREAM_PAGES,
  MAX_UPSTREAM_RESPONSE_MS,
  MAX_UPSTREAM_SILENCE_MS,
} from "../../limits/data-limits.js";
import { inSteps } from "../../limits/pacing.js";
import type { Clock } from "../../model/clock.js";
import { type Day, formatDay } from "../../model/day.js";
import { isAndroidAppId } from "../../model/names.js";
import { EntryForms } from "./entry-form.js";
import { failureOf, fetchResponse, type ResponseLimits, type UpstreamResponse } from "./fetch-response.js";
import { isJsonObject, PageProblems } from "./known-fields.js";
import { type Listing, readListing } from "./read-listing.js";
import { type ReadPage, readPage } from "./read-page.js";
import {
  type Credentials,
  digestOf,
  type MirroredEntry,
  placeOfApp,
  type Upstream,
  type UpstreamBody,
  UpstreamError,
  type UpstreamPage,
} from "./upstream.js";

/** Limits on responses and lists. */
export interface UpstreamLimits extends ResponseLimits {
  readonly pages: number;
  /** Maximum number of entries per app. It is rounded up to whole pages. */
  readonly entries: number;
  readonly apps: number;
}

const LIMITS: UpstreamLimits = {
  responseBytes: MAX_UPSTREAM_PAGE_BYTES,
  silenceMs: MAX_UPSTREAM_SILENCE_MS,
  responseMs: MAX_UPSTREAM_RESPONSE_MS,
  pages: MAX_UPSTREAM_PAGES,
  entries: MAX_UPSTREAM_ENTRIES,
  apps: MAX_UPSTREAM_APPS,
};

/** Maximum page size (specification 8). */
const PAGE_SIZE = "10000";

/**
 * Names of the response field with the apps: in ProtoJSON and in the contract of this service, and in Firebase
 * Management.
 */
const APPS = ["androidApps", "android_apps", "apps"];

export interface HttpUpstreamOptions {
  /** Base URL of the messaging-data service. */
  readonly url: string;
  /** Upstream project, by id or number. */
  readonly project: string;
  /**
   * URL of the app list, if the service itself has none. Its pages must have `apps[].appId` or `androidApps[].appId`.
   */
  readonly appsUrl?: string | undefined;
  readonly credentials: Credentials;
  readonly clock: Clock;
  /** Returns the last day for which entries are accepted. */
  readonly today: () => Day;
  readonly limits?: UpstreamLimits;
}

/** Reads an upstream service over HTTP, in the wire format of the contract. */
export class HttpUpstream implements Upstream {
  readonly #options: HttpUpstreamOptions;
  readonly #limits: UpstreamLimits;
  readonly #forms = new EntryForms();
  /** URL of the project's apps, without a trailing slash. */
  readonly #ownAppsUrl: string;

  constructor(options: HttpUpstreamOptions) {
    this.#options = options;
    this.#limits = options.limits ?? LIMITS;
    const base = options.url.replace(/\/$/, "");
    this.#ownAppsUrl = `${base}/v1beta1/projects/${segmentOf(options.project)}/androidApps`;
  }

  async *pages(
    appId: string,
    signal: AbortSignal,
    keep: (page: UpstreamBody) => Promise<void>,
    known?: string,
  ): AsyncGenerator<UpstreamPage, void> {
    const address = `${this.#ownAppsUrl}/${segmentOf(appId)}/deliveryData`;
    const trail = new PageTrail(this.#limits.pages);
    const seen = new SeenEntries();
    let nextPageToken: string;
    do {
      const url = pageUrl(address, { pageSize: PAGE_SIZE, pageToken: trail.pageToken });
      const { body, gzip } = await this.#get(url, signal);
      const fetchedAt = this.#options.clock.wall();
      const digest = digestOf(body);
      const keeping = keep({ url: url.href, fetchedAt, body, gzip });
      if (digest === known) {
        await keeping;
        yield { fetchedAt, digest, entries: new Map(), problems: [] };
        return;
      }
      const problems = new PageProblems();
      const parsing = this.#parse(body, appId, problems, signal);
      // Other threads store the body while this one parses it.
      await Promise.allSettled([keeping, parsing]);
      await keeping;
      const { page, error } = await parsing;
      nextPageToken = page.nextPageToken;
      const entries = seen.add(page.entries, problems);
      yield { fetchedAt, digest, entries, problems: problems.texts };
      if (error !== undefined) throw error;
    } while (trail.follow(nextPageToken) && this.#hasRoom(seen));
  }

  async apps(signal: AbortSignal): Promise<readonly string[]> {
    const { appsUrl = this.#ownAppsUrl } = this.#options;
    const trail = new PageTrail(this.#limits.pages);
    const appIds = new Set<string>();
    let page: Listing;
    do {
      const { body } = await this.#get(pageUrl(appsUrl, { pageToken: trail.pageToken }), signal);
      page = readListing(body, APPS, new PageProblems());
      for (const app of page.items) {
        const appId = isJsonObject(app) ? (app.appId ?? app.app_id) : undefined;
        if (typeof appId !== "string")
          throw new UpstreamError("form", "the app list contains an app without an appId");
        // Other ids cannot be part of a URL path.
        if (isAndroidAppId(appId)) appIds.add(appId);
      }
      if (appIds.size > this.#limits.apps) {
        throw new UpstreamError("form", `the app list contains more than ${this.#limits.apps} apps`);
      }
    } while (trail.follow(page.nextPageToken));
    return [...appIds];
  }

  /** Parses a page. An unreadable page has no entries, and its error is also a problem. */
  async #parse(
    body: Uint8Array,
    appId: string,
    problems: PageProblems,
    signal: AbortSignal,
  ): Promise<{ readonly page: ReadPage; readonly error?: UpstreamError }> {
    const expected = { appId, today: this.#options.today() };
    try {
      return { page: await inSteps(readPage(body, expected, problems, this.#forms), signal) };
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      problems.add(error.message);
      return { page: { entries: [], nextPageToken: "" }, error };
    }
  }

  #hasRoom(seen: SeenEntries): true {
    if (seen.size < this.#limits.entries) return true;
    throw new UpstreamError("form", `the app has more than ${this.#limits.entries} entries`);
  }

  async #get(url: URL, signal: AbortSignal): Promise<UpstreamResponse> {
    const { credentials, clock } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const headers = await credentials.headers(url, signal);
      headers.set("user-agent", "waybill");
      const response = await fetchResponse(url, headers, this.#limits, signal);
      if (response.status === 200) return response;
      if (response.status === 401) {
        credentials.dropToken();
        // If the token was revoked, a new one may be accepted.
        if (attempt === 1) continue;
      }
      const [, secret = ""] = headers.get("authorization")?.split(" ") ?? [];
      throw failureOf(response, clock.wall(), secret);
    }
  }
}

/** Encodes a path segment. Colons in app ids stay unescaped, as in upstream's own paths. */
const segmentOf = (text: string): string => encodeURIComponent(text).replaceAll("%3A", ":");

/** Adds query parameters to a URL. Omits empty ones. */
function pageUrl(address: string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== "") url.searchParams.set(name, value);
  }
  return url;
}

const REPEATED = "an entry appears twice, with different content";

/** Detects entries that occur on several pages of an app. */
class SeenEntries {
  /**
   * Upstream JSON by {@link placeOfApp}. This needs little memory, because callers keep the same strings until all pages
   * are read.
   */
  readonly #originals = new Map<string, string>();

  /** Number of distinct entries so far. */
  get size(): number {
    return this.#originals.size;
  }

  /**
   * Returns the next page's entries that have not occurred before. If two entries with the same day and label differ,
   * the last one counts, and a problem is reported.
   */
  add(entries: readonly MirroredEntry[], problems: PageProblems): ReadonlyMap<string, MirroredEntry> {
    const fresh = new Map<string, MirroredEntry>();
    for (const entry of entries) {
      const { day, label, original } = entry;
      const place = placeOfApp(day, label);
      const seen = this.#originals.get(place);
      if (seen === original) continue;
      if (seen !== undefined) problems.add(REPEATED, `${formatDay(day)} ${label}`.trim());
      this.#originals.set(place, original);
      fresh.set(place, entry);
    }
    return fresh;
  }
}

/** Follows page tokens through a list, and makes sure that the list ends. */
class PageTrail {
  readonly #maxPages: number;
  readonly #tokens = new Set([""]);
  #pageToken = "";

  constructor(maxPages: number) {
    this.#maxPages = maxPages;
  }

  /** Token of the page to read next. Empty for the first page. */
  get pageToken(): string {
    return this.#pageToken;
  }

  /**
   * Continues with the next page.
   *
   * @returns false if the page was the last one.
   * @throws UpstreamError of kind `form` if the token has occurred before, or if there are too many pages.
   */
  follow(nextPageToken: string): boolean {
    if (nextPageToken === "") return false;
    if (this.#tokens.has(nextPageToken))
      throw new UpstreamError("form", "a page token leads back to an earlier page");
    if (this.#tokens.size === this.#maxPages) {
      throw new UpstreamError("form", `there are more than ${this.#maxPages} pages`);
    }
    this.#tokens.add(nextPageToken);
    this.#pageToken = nextPageToken;
    return true;
  }
}
