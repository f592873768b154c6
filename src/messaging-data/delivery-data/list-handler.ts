import type { ProjectCaller } from "../../api/caller.js";
import type { CallContext } from "../../api/service.js";
import {
  type ListAndroidDeliveryDataRequest,
  MessagingDataService,
} from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { type Day, dayOf } from "../../model/day.js";
import type { IsMirrored } from "../../model/names.js";
import { isAppId } from "../../model/names.js";
import { effectivePageSize, type PageSizes } from "../../paging/page.js";
import type { PageTokens } from "../../paging/page-tokens.js";
import { encodeBatches, rowEncoders } from "./encode/row-encoder.js";
import { ENTRY_FORM, type EncodedRows } from "./encode/row-form.js";
import { placeOf, readPlace, writePlace } from "./entry-columns.js";
import { type ListView, type VersionedEntries, viewAt } from "./read-entries.js";
import { requestedEntries, requestedMoment } from "./requested-entries.js";
import type { ResponseCache } from "./versioned-cache.js";

/** Default and maximum page size (specification 8). */
const PAGE_SIZES: PageSizes = { usual: 1_000, max: 10_000 };

const operation = MessagingDataService.method.listAndroidDeliveryData.name;
const newEncoder = rowEncoders(ENTRY_FORM);

export interface ListDependencies {
  readonly store: VersionedEntries;
  readonly tokens: PageTokens;
  readonly responses: ResponseCache;
  /** Returns the last day that is listed now. */
  readonly lastListedDay: () => Day;
  readonly isMirrored: IsMirrored;
  /**
   * Returns the view that a call lists instead of the stored entries. Returns `undefined` to list the stored entries.
   *
   * @throws ApiError to reject the call.
   */
  readonly viewOf?:
    | ((request: ListAndroidDeliveryDataRequest, context: CallContext<ProjectCaller>) => ListView | undefined)
    | undefined;
}

/** Creates the handler of `ListAndroidDeliveryData` (decisions: deliveryData.list). */
export function listHandler({
  store,
  tokens,
  responses,
  lastListedDay,
  isMirrored,
  viewOf,
}: ListDependencies) {
  return async (
    request: ListAndroidDeliveryDataRequest,
    context: CallContext<ProjectCaller>,
  ): Promise<EncodedRows> => {
    const { format } = context;
    const project = context.caller.project.number;
    const ownView = viewOf?.(request, context);
    const originals = isMirrored(project);
    const asOf = requestedMoment(request.asOf, originals);
    const view = ownView ?? viewAt(store, asOf);
    const until = Math.min(lastListedDay(), asOf === undefined ? Number.POSITIVE_INFINITY : dayOf(asOf));
    const appId = context.resource.idIn("androidApps");
    const { filterDigest, selection } = requestedEntries(request.filter, { project, appId, until });
    const list = {
      operation,
      parent: `projects/${project}/androidApps/${appId}`,
      pageSize: effectivePageSize(request.pageSize, PAGE_SIZES),
      filter: filterDigest,
      asOf,
    };
    const { pageToken } = request;
    const position = tokens.read(pageToken, list);
    if (!isAppId(appId)) return newEncoder(format).finish();

    const { pageSize } = list;
    const key = [operation, format, appId, pageSize, filterDigest, asOf, pageToken, tokens.epoch, view.key];
    return responses.get(
      selection,
      key,
      () => context.waitForSlot(),
      async () => {
        const { signal } = context;
        const query = {
          ...selection,
          ...(position !== undefined && { after: readPlace(position) }),
          limit: pageSize + 1,
          ...(originals && { originals }),
        };
        const { entries, end } = await view.readEntries(query, signal);
        // The encoder is created after the read. If it survived garbage collections during the read, it would keep
        // everything alive that it refers to.
        const encoder = newEncoder(format);
        const last = await encodeBatches(encoder, entries, pageSize, signal);
        const next = last === undefined ? end : placeOf(last.batch, last.row, selection);
        return encoder.finish(next && tokens.tokenOf(list, writePlace(next)));
      },
    );
  };
}
