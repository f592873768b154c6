import { create } from "@bufbuild/protobuf";
import type { ProjectCaller } from "../api/caller.js";
import type { CallContext } from "../api/service.js";
import type { AppAttestConfigs } from "../control/app-attest-configs.js";
import {
  AppSchema,
  IntegrityService,
  type ListAppsRequest,
  type ListAppsResponse,
  ListAppsResponseSchema,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import { byBytes } from "../model/collections.js";
import { itemsAfter, readPageOf } from "../paging/page.js";
import type { PageTokens } from "../paging/page-tokens.js";

const operation = IntegrityService.method.listApps.name;

/** Makes the handler of `ListApps`. */
export function listAppsHandler(store: Pick<AppAttestConfigs, "listApps">, tokens: PageTokens) {
  return async (
    request: ListAppsRequest,
    { caller: { project } }: CallContext<ProjectCaller>,
  ): Promise<ListAppsResponse> => {
    const parent = `projects/${project.number}`;
    const read = async (after: string | undefined, limit: number) => {
      const appIds = await store.listApps(project.number);
      return itemsAfter(appIds, (appId) => after === undefined || byBytes(appId, after) > 0, limit);
    };
    const list = { operation, parent, read, positionOf: (appId: string) => appId };
    const { items, nextPageToken } = await readPageOf(list, request, tokens);
    return create(ListAppsResponseSchema, {
      apps: items.map((appId) => create(AppSchema, { name: `${parent}/apps/${appId}`, appId })),
      nextPageToken,
    });
  };
}
