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
import { byBytes } from "../model/by-bytes.js";
import { pageOf } from "../paging/page-of.js";
import { effectivePageSize } from "../paging/page-size.js";
import type { PageTokens } from "../paging/page-tokens.js";

const operation = IntegrityService.method.listApps.name;

/** Makes the handler of `ListApps`. */
export function listAppsHandler(store: Pick<AppAttestConfigs, "listApps">, tokens: PageTokens) {
  return async (
    { pageSize, pageToken }: ListAppsRequest,
    { caller: { project } }: CallContext<ProjectCaller>,
  ): Promise<ListAppsResponse> => {
    const parent = `projects/${project.number}`;
    const list = { operation, parent, pageSize: effectivePageSize(pageSize) };
    const after = tokens.read(pageToken, list);
    const appIds = await store.listApps(project.number);
    const isBehind = (appId: string) => after === undefined || byBytes(appId, after) > 0;
    const { items, last } = pageOf(appIds, isBehind, list.pageSize);
    return create(ListAppsResponseSchema, {
      apps: items.map((appId) => create(AppSchema, { name: `${parent}/apps/${appId}`, appId })),
      nextPageToken: last === undefined ? "" : tokens.tokenOf(list, last),
    });
  };
}
