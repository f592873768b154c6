import { ApiError } from "../../api/api-error.js";
import type { ProjectCaller } from "../../api/caller.js";
import type { CallContext } from "../../api/service.js";
import {
  type AggregateAndroidDeliveryDataRequest,
  AggregateAndroidDeliveryDataRequest_Dimension as ContractDimension,
  MessagingDataService,
} from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { Day } from "../../model/day.js";
import type { IsMirrored } from "../../model/names.js";
import { ALL_APPS, isAppId } from "../../model/names.js";
import { TooManyGroupsError } from "../../model/store-error.js";
import type {
  DeliveryDataStore,
  Dimension,
  EntryFilter,
  EntrySelection,
} from "../../store/delivery-data-store.js";
import { encodeBatches, rowEncoders } from "./encode/row-encoder.js";
import { type EncodedRows, GROUP_FORM } from "./encode/row-form.js";
import { requestedEntries } from "./requested-entries.js";
import type { ResponseCache } from "./versioned-cache.js";

const MAX_GROUPS = 10_000;

const operation = MessagingDataService.method.aggregateAndroidDeliveryData.name;
const newEncoder = rowEncoders(GROUP_FORM);

export interface AggregateDependencies {
  readonly store: Pick<DeliveryDataStore, "sumEntries">;
  readonly responses: ResponseCache;
  /** Returns the last day that is listed now. */
  readonly lastListedDay: () => Day;
  readonly isMirrored: IsMirrored;
  /** Returns a filter for the entries on usual dates of an app. */
  readonly usualDates: UsualDates;
}

/** Returns a filter for entries that selects an app's dates without incidents. @param principal the caller. */
export type UsualDates = (
  app: { readonly project: string; readonly appId: string; readonly until: Day },
  signal: AbortSignal,
  principal: string,
) => Promise<EntryFilter>;

export function aggregateHandler({
  store,
  responses,
  lastListedDay,
  isMirrored,
  usualDates,
}: AggregateDependencies) {
  return async (
    request: AggregateAndroidDeliveryDataRequest,
    context: CallContext<ProjectCaller>,
  ): Promise<EncodedRows> => {
    const { format } = context;
    const project = context.caller.project.number;
    const until = lastListedDay();
    const appId = context.resource.idIn("androidApps");
    const requested = requestedEntries(request.filter, { project, appId, until });
    const { filterDigest } = requested;
    const groupBy = dimensionsOf(request.groupBy);
    if (!isAppId(appId)) return newEncoder(format).finish();

    if (request.usualDatesOnly && appId === ALL_APPS) throw usualDatesOfAllApps();
    const usual = request.usualDatesOnly
      ? await usualDates({ project, appId, until }, context.signal, context.caller.budgetKey)
      : undefined;
    const selection = usual === undefined ? requested.selection : bothOf(requested.selection, usual);
    const key = [operation, format, appId, filterDigest, usual ?? null, ...[...groupBy].sort()];
    return responses.get(
      selection,
      key,
      () => context.waitForSlot(),
      async () => {
        const { signal } = context;
        const query = {
          ...selection,
          groupBy,
          limit: MAX_GROUPS,
          ...(isMirrored(project) && { originals: true }),
        };
        const groups = await store.sumEntries(query, signal).catch((error: unknown) => {
          throw error instanceof TooManyGroupsError ? tooManyGroups() : error;
        });
        const encoder = newEncoder(format);
        await encodeBatches(encoder, groups, MAX_GROUPS, signal);
        return encoder.finish();
      },
    );
  };
}

/** Converts the dimensions in a request. @throws ApiError `INVALID_GROUP_BY` for an unknown or repeated dimension. */
function dimensionsOf(groupBy: readonly ContractDimension[]): ReadonlySet<Dimension> {
  const dimensions = new Set<Dimension>();
  for (const [index, requested] of groupBy.entries()) {
    const dimension = dimensionOf(requested);
    if (dimension === undefined) throw invalidGroupBy(index, "must be DATE, APP or ANALYTICS_LABEL");
    if (dimensions.has(dimension)) throw invalidGroupBy(index, "duplicate dimension");
    dimensions.add(dimension);
  }
  return dimensions;
}

function dimensionOf(dimension: ContractDimension): Dimension | undefined {
  switch (dimension) {
    case ContractDimension.DATE:
      return "day";
    case ContractDimension.ANALYTICS_LABEL:
      return "label";
    case ContractDimension.APP:
      return "app";
    default:
      // The dimension is unspecified, or was added to the contract later.
      return undefined;
  }
}

const bothOf = (selection: EntrySelection, filter: EntryFilter): EntrySelection => ({
  ...selection,
  filter: selection.filter === undefined ? filter : { kind: "and", operands: [selection.filter, filter] },
});

const usualDatesOfAllApps = (): ApiError =>
  ApiError.invalidArgument(
    "USUAL_DATES_NEED_APP",
    "usualDatesOnly",
    "each app has its own incidents; request the apps one by one",
  );

const invalidGroupBy = (index: number, description: string): ApiError =>
  ApiError.invalidArgument("INVALID_GROUP_BY", `groupBy[${index}]`, description);

const tooManyGroups = (): ApiError =>
  ApiError.invalidArgument(
    "TOO_MANY_GROUPS",
    "groupBy",
    `there are more than ${MAX_GROUPS.toLocaleString("en")} groups; ` +
      "select fewer dates or labels with the filter, or group by fewer dimensions",
  );
