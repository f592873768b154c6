import type { ProjectCaller } from "../../api/caller.js";
import type { CallContext } from "../../api/service.js";
import {
  type ListAndroidDeliveryDataRequest,
  MessagingDataService,
} from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { isAppId } from "../../model/app-id.js";
import type { Day } from "../../model/day.js";
import { effectivePageSize, type PageSizes } from "../../paging/page-size.js";
import type { PageTokens } from "../../paging/page-tokens.js";
import type { DeliveryDataStore, EntryColumns, EntryPosition } from "../../store/delivery-data-store.js";
import type { AnswerCache } from "./answer-cache.js";
import { type EncodedRows, encodeBatches, type RowPlace } from "./encode/row-encoder.js";
import { rowEncoders } from "./encode/row-encoders.js";
import { ENTRY_FORM } from "./encode/row-form.js";
import { requestedEntries } from "./requested-entries.js";

/** Default and maximum page size (specification 8). */
const PAGE_SIZES: PageSizes = { ofDefault: 1_000, most: 10_000 };

const operation = MessagingDataService.method.listAndroidDeliveryData.name;
const newEncoder = rowEncoders(ENTRY_FORM);

/** Dependencies of the handler. */
export interface ListDependencies {
  readonly store: Pick<DeliveryDataStore, "readEntries">;
  readonly tokens: PageTokens;
  readonly answers: AnswerCache;
  /** Returns the last day that is listed now. */
  readonly lastListedDay: () => Day;
}

/** Makes the handler of `ListAndroidDeliveryData` (decisions: deliveryData.list). */
export function listHandler({ store, tokens, answers, lastListedDay }: ListDependencies) {
  return async (
    request: ListAndroidDeliveryDataRequest,
    context: CallContext<ProjectCaller>,
  ): Promise<EncodedRows> => {
    const { format } = context;
    const project = context.caller.project.number;
    const until = lastListedDay();
    const { appId, filterDigest, selection } = requestedEntries(request, project, until);
    const list = {
      operation,
      parent: `projects/${project}/androidApps/${appId}`,
      pageSize: effectivePageSize(request.pageSize, PAGE_SIZES),
      filter: filterDigest,
    };
    const position = tokens.read(request.pageToken, list);
    if (!isAppId(appId)) return newEncoder(format).finish();

    const { pageSize } = list;
    const key = [operation, format, appId, pageSize, filterDigest, request.pageToken, tokens.epoch];
    return answers.answer(
      selection,
      key,
      () => context.turn(),
      async () => {
        const { signal } = context;
        const query = {
          ...selection,
          ...(position !== undefined && { after: readPosition(position) }),
          limit: pageSize + 1,
        };
        const entries = await store.readEntries(query, signal);
        // Created after the read: an object that survives garbage collections during the read keeps all that
        // it refers to alive.
        const encoder = newEncoder(format);
        const last = await encodeBatches(encoder, entries, pageSize, signal);
        const next = last && writePosition(last, selection.appId === undefined);
        return encoder.finish(next && tokens.tokenOf(list, next));
      },
    );
  };
}

function writePosition({ batch, row }: RowPlace<EntryColumns>, withAppId: boolean): string {
  const position = [batch.days[row], batch.labels[row]];
  if (withAppId) position.push(batch.appIds[row]);
  return JSON.stringify(position);
}

function readPosition(text: string): EntryPosition {
  const [day, label, appId] = JSON.parse(text) as [Day, string, string?];
  return { day, label, ...(appId !== undefined && { appId }) };
}
