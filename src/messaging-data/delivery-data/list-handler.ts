import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { ListAndroidDeliveryDataRequest } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { DeliveryDataStore, EntryColumns, EntryPosition } from "../../store/delivery-data-store.js";
import { ApiError } from "../../transcoding/api-error.js";
import type { AnswerFormat, CallContext } from "../../transcoding/service.js";
import { callFailure } from "../call-failure.js";
import { isAppId } from "../events/event-line.js";
import type { ProjectAccess } from "../project-access.js";
import { BinaryPageEncoder } from "./binary-page-encoder.js";
import { readFilter } from "./filter/read-filter.js";
import { JsonPageEncoder } from "./json-page-encoder.js";
import { lastListedDay } from "./listed-days.js";
import type { EncodedPage, PageEncoder } from "./page-encoder.js";
import { type ListParameters, type PageToken, PageTokenCodec } from "./page-token.js";

/** Specification 8. */
const DEFAULT_PAGE_SIZE = 1_000;
const MAX_PAGE_SIZE = 10_000;
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

/** Stands for all apps of the project in place of an app id (AIP-159). */
const ALL_APPS = "-";

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

interface CachedPage {
  readonly page: EncodedPage;
  /** The generation of the project's data that the page was read from. */
  readonly generation: number;
}

const ENCODERS: Readonly<Record<AnswerFormat, new () => PageEncoder>> = {
  json: JsonPageEncoder,
  binary: BinaryPageEncoder,
};

/** Makes the handler of `ListAndroidDeliveryData` (decisions: deliveryData.list). */
export function listHandler(dependencies: ListDependencies) {
  const { store, tokens, lenientPageTokens, settleDelay, now } = dependencies;
  const pages = new LRUCache<string, CachedPage>({
    maxSize: MAX_CACHED_BYTES,
    // The compressed forms of JSON, made when somebody asks for them, take less than half of it.
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
  ): Promise<EncodedPage> => {
    const { format } = context;
    const project = context.auth.project.number;
    const appId = request.parent.slice(request.parent.lastIndexOf("/") + 1);
    const filter = readFilter(request.filter);
    const list: ListParameters = {
      parent: `projects/${project}/androidApps/${appId}`,
      pageSize: effectivePageSize(request.pageSize),
      filter: filter?.digest,
    };
    const time = now();
    const until = lastListedDay(time, settleDelay);
    const after = request.pageToken === "" ? undefined : positionOf(request.pageToken, list, time);
    if (!isAppId(appId)) return new ENCODERS[format]().finish("");

    const generation = generationOf(project);
    const key = [
      format,
      list.parent,
      list.pageSize,
      list.filter,
      request.pageToken,
      until,
      PageTokenCodec.hourOf(time),
    ].join(" ");
    const cached = pages.get(key);
    if (cached?.generation === generation) return cached.page;

    const { signal } = context;
    const query = {
      project,
      ...(appId !== ALL_APPS && { appId }),
      until,
      ...(filter !== undefined && { filter: filter.condition }),
      ...(after !== undefined && { after }),
      limit: list.pageSize + 1,
    };
    const encoder = new ENCODERS[format]();
    const last = await store
      .readEntries(query, signal)
      .then((read) => encodeEntries(encoder, read, list.pageSize, signal))
      .catch((error: unknown) => {
        throw callFailure(error, signal);
      });
    const position = last && (appId === ALL_APPS ? last : { day: last.day, label: last.label });
    const page = encoder.finish(
      position === undefined ? "" : tokens.encode({ ...list, after: position }, time),
    );
    pages.set(key, { page, generation });
    return page;
  };

  function positionOf(text: string, list: ListParameters, time: number): EntryPosition {
    const token = tokens.decode(text, time);
    if (token === undefined) {
      throw ApiError.invalidArgument(
        "PAGE_TOKEN_INVALID",
        "pageToken",
        "it is not a token of this service, was changed, or has expired; start again without one",
      );
    }
    const other = mismatch(token, list);
    if (other === undefined || (other === "pageSize" && lenientPageTokens)) return token.after;
    throw ApiError.invalidArgument(
      "PAGE_TOKEN_MISMATCH",
      "pageToken",
      `it belongs to a call with another ${other}; all other parameters must be those of the call that returned it`,
    );
  }
}

/** The parameter of a list that a token does not fit; the page size last, which may be let pass. */
function mismatch(token: PageToken, list: ListParameters): keyof ListParameters | undefined {
  return (["parent", "filter", "pageSize"] as const).find((name) => token[name] !== list[name]);
}

function effectivePageSize(pageSize: number): number {
  if (pageSize < 0)
    throw ApiError.invalidArgument("INVALID_PAGE_SIZE", "pageSize", "it must not be negative");
  return pageSize === 0 ? DEFAULT_PAGE_SIZE : Math.min(pageSize, MAX_PAGE_SIZE);
}

/**
 * Encodes up to `pageSize` of the entries read. Other requests get their turn between batches.
 *
 * @returns the last entry of the page if more follow.
 */
async function encodeEntries(
  encoder: PageEncoder,
  read: readonly EntryColumns[],
  pageSize: number,
  signal: AbortSignal,
): Promise<Required<EntryPosition> | undefined> {
  let room = pageSize;
  let last: Required<EntryPosition> | undefined;
  for (const entries of read) {
    const count = Math.min(room, entries.length);
    if (count > 0) {
      if (last !== undefined) {
        await nextTurn();
        signal.throwIfAborted();
      }
      encoder.add(entries, count);
      last = positionAt(entries, count - 1);
    }
    if (count < entries.length) return last;
    room -= count;
  }
  return undefined;
}

const positionAt = ({ days, appIds, labels }: EntryColumns, row: number): Required<EntryPosition> => ({
  day: days[row] ?? 0,
  appId: appIds[row] ?? "",
  label: labels[row] ?? "",
});
