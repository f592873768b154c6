import { create } from "@bufbuild/protobuf";
import type { ProjectCaller } from "../api/caller.js";
import type { CallContext } from "../api/service.js";
import { DateSchema } from "../gen/google/type/date_pb.js";
import {
  AndroidAppSchema,
  type ListAndroidAppsRequest,
  type ListAndroidAppsResponse,
  ListAndroidAppsResponseSchema,
  MessagingDataService,
} from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { civilDate, type Day } from "../model/day.js";
import { readPageOf } from "../paging/page.js";
import type { PageTokens } from "../paging/page-tokens.js";
import type { AppWithEntries, DeliveryDataStore } from "../store/delivery-data-store.js";

const operation = MessagingDataService.method.listAndroidApps.name;

export interface ListAndroidAppsDependencies {
  readonly store: Pick<DeliveryDataStore, "listApps">;
  readonly tokens: PageTokens;
  /** Returns the last day that is listed now. */
  readonly lastListedDay: () => Day;
}

export function listAndroidAppsHandler({ store, tokens, lastListedDay }: ListAndroidAppsDependencies) {
  return async (
    request: ListAndroidAppsRequest,
    context: CallContext<ProjectCaller>,
  ): Promise<ListAndroidAppsResponse> => {
    const { caller, signal } = context;
    const { project } = caller;
    const parent = `projects/${project.number}`;
    const list = {
      operation,
      parent,
      read: async (after: string | undefined, limit: number) => {
        const until = lastListedDay();
        await context.waitForSlot();
        const query = { project: project.number, until, ...(after !== undefined && { after }), limit };
        return store.listApps(query, signal);
      },
      positionOf: ({ appId }: AppWithEntries) => appId,
    };
    const { items, nextPageToken } = await readPageOf(list, request, tokens);
    return create(ListAndroidAppsResponseSchema, {
      androidApps: items.map(({ appId, firstDay, lastDay }) =>
        create(AndroidAppSchema, {
          name: `${parent}/androidApps/${appId}`,
          appId,
          firstDate: create(DateSchema, civilDate(firstDay)),
          lastDate: create(DateSchema, civilDate(lastDay)),
        }),
      ),
      nextPageToken,
    });
  };
}
