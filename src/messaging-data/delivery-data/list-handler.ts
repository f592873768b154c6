import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { ListAndroidDeliveryDataRequest } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { ListAndroidDeliveryDataResponseSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { DeliveryDataStore, EntryColumns, EntryPosition } from "../../store/delivery-data-store.js";
import { toApiError } from "../../store/store-failure.js";
import { ApiError } from "../../transcoding/api-error.js";
import { EncodedJson } from "../../transcoding/encoded-json.js";
import type { CallContext } from "../../transcoding/service.js";
import { isAppId } from "../events/event-line.js";
import type { ProjectAccess } from "../project-access.js";
import { encodeEntries } from "./entry-encoder.js";
import { lastListedDay } from "./listed-days.js";
import { PageTokenCodec } from "./page-token.js";

/** Specification 8. */
const DEFAULT_PAGE_SIZE = 1_000;
const MAX_PAGE_SIZE = 10_000;
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

/** What the list needs. */
export interface ListDependencies {
  readonly store: DeliveryDataStore;
  readonly tokens: PageTokenCodec;
  /** Whether the page size may change from page to page (AIP-158); else that is a mismatch (specification 4.2). */
  readonly lenientPageTokens: boolean;
  /** Milliseconds from the end of a day until it is listed. */
  readonly settleDelay: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

const EMPTY_PAGE = new EncodedJson(Buffer.from("{}"));

interface CachedPage {
  readonly page: EncodedJson;
  /** The generation of the project's data that the page was read from. */
  readonly generation: number;
}

const { androidDeliveryData, nextPageToken } = ListAndroidDeliveryDataResponseSchema.field;

/** Makes the handler of `ListAndroidDeliveryData` (decisions: deliveryData.list). */
export function listHandler(dependencies: ListDependencies) {
  const { store, tokens, lenientPageTokens, settleDelay, now } = dependencies;
  const pages = new LRUCache<string, CachedPage>({
    maxSize: MAX_CACHED_BYTES,
    // Its compressed forms, made when somebody asks for them, take less than half of it.
    sizeCalculation: ({ page }, key) => Math.ceil(1.5 * page.bytes.length) + key.length + 512,
  });
  const generations = new Map<string, number>();
  const generationOf = (project: string): number => generations.get(project) ?? 0;
  store.onPublished(({ project, day }) => {
    // Days that are not listed yet are in no page; when one is, the pages of the days before are not asked for again.
    if (day <= lastListedDay(now(), settleDelay)) generations.set(project, generationOf(project) + 1);
  });

  return async (
    request: ListAndroidDeliveryDataRequest,
    context: CallContext<ProjectAccess>,
  ): Promise<EncodedJson> => {
    const project = context.auth.project.number;
    const appId = request.parent.slice(request.parent.lastIndexOf("/") + 1);
    const pageSize = effectivePageSize(request.pageSize);
    const parent = `projects/${project}/androidApps/${appId}`;
    const time = now();
    const until = lastListedDay(time, settleDelay);
    const after = request.pageToken === "" ? undefined : readToken(request.pageToken, parent, pageSize, time);
    if (!isAppId(appId)) return EMPTY_PAGE;

    const generation = generationOf(project);
    const key = [parent, pageSize, request.pageToken, until, PageTokenCodec.hourOf(time)].join(" ");
    const cached = pages.get(key);
    if (cached?.generation === generation) return cached.page;

    const read = await store
      .readEntries({ project, appId, until, limit: pageSize + 1, ...(after !== undefined && { after }) })
      .catch((error: unknown) => {
        throw toApiError(error);
      });
    const page = await encodePage(appId, read, pageSize, (last) =>
      tokens.encode({ parent, pageSize, after: last }, time),
    );
    pages.set(key, { page, generation });
    return page;
  };

  function readToken(text: string, parent: string, pageSize: number, time: number): EntryPosition {
    const token = tokens.decode(text, time);
    if (token === undefined) {
      throw ApiError.invalidArgument(
        "PAGE_TOKEN_INVALID",
        "pageToken",
        "it is not a token of this service, was changed, or has expired; start again without one",
      );
    }
    if (token.parent !== parent || (token.pageSize !== pageSize && !lenientPageTokens)) {
      throw ApiError.invalidArgument(
        "PAGE_TOKEN_MISMATCH",
        "pageToken",
        `it belongs to a call with another ${token.parent === parent ? "pageSize" : "parent"}; ` +
          "all other parameters must be those of the call that returned it",
      );
    }
    return token.after;
  }
}

function effectivePageSize(pageSize: number): number {
  if (pageSize < 0)
    throw ApiError.invalidArgument("INVALID_PAGE_SIZE", "pageSize", "it must not be negative");
  return pageSize === 0 ? DEFAULT_PAGE_SIZE : Math.min(pageSize, MAX_PAGE_SIZE);
}

/**
 * Encodes up to `pageSize` of the entries read; `toToken` makes the token of the page behind an entry. Other requests
 * get their turn between batches.
 */
async function encodePage(
  appId: string,
  read: readonly EntryColumns[],
  pageSize: number,
  toToken: (last: EntryPosition) => string,
): Promise<EncodedJson> {
  let room = pageSize;
  let last: EntryPosition | undefined;
  let more = false;
  const parts: string[] = [];
  for (const entries of read) {
    const taken = Math.min(room, entries.length);
    more ||= entries.length > taken;
    room -= taken;
    if (taken === 0) continue;
    if (parts.length > 0) await nextTurn();
    last = { day: entries.days[taken - 1] ?? 0, label: entries.labels[taken - 1] ?? "" };
    parts.push(encodeEntries(appId, entries, 0, taken));
  }
  if (last === undefined) return EMPTY_PAGE;
  const token = more ? `,"${nextPageToken.jsonName}":"${toToken(last)}"` : "";
  return new EncodedJson(Buffer.from(`{"${androidDeliveryData.jsonName}":[${parts.join(",")}]${token}}`));
}
