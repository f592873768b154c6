import { create } from "@bufbuild/protobuf";
import type { ProjectCaller } from "../api/caller.js";
import type { CallContext } from "../api/service.js";
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
import type { RegisteredApp } from "../registry/entries.js";
import type { Registry } from "../registry/registry.js";

const operation = IntegrityService.method.listApps.name;

export function listAppsHandler(registry: Pick<Registry, "apps">, tokens: PageTokens) {
  return async (
    request: ListAppsRequest,
    { caller: { project } }: CallContext<ProjectCaller>,
  ): Promise<ListAppsResponse> => {
    const parent = `projects/${project.number}`;
    const read = async (after: string | undefined, limit: number) => {
      const isAfter = ({ id }: RegisteredApp) => after === undefined || byBytes(id, after) > 0;
      return itemsAfter(registry.apps(project.number), isAfter, limit, (app) => app.deleteTime === undefined);
    };
    const list = { operation, parent, read, positionOf: ({ id }: RegisteredApp) => id };
    const { items, nextPageToken } = await readPageOf(list, request, tokens);
    return create(ListAppsResponseSchema, {
      apps: items.map(({ id }) => create(AppSchema, { name: `${parent}/apps/${id}`, appId: id })),
      nextPageToken,
    });
  };
}
