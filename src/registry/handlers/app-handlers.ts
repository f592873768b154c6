import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { ParameterViolations } from "../../api/api-error.js";
import { inProject, type ProjectCaller } from "../../api/caller.js";
import type { CallContext } from "../../api/service.js";
import { readUpdateMask } from "../../api/update-mask.js";
import {
  type ListAppsRequest,
  type Operation,
  type RemoveAppRequest,
  type SearchAppsRequest,
  type SearchAppsResponse,
  SearchAppsResponseSchema,
  type UndeleteAppRequest,
} from "../../gen/waybill/registry/v1/registry_pb.js";
import { byBytes } from "../../model/collections.js";
import { itemsAfter, type Page, type PageRequest, readPageOf } from "../../paging/page.js";
import { auditNote } from "../audit/audit-note.js";
import type { AppValues, RegisteredApp, RegisteredProject } from "../entries.js";
import { etagMismatch, notFound, ofFile, wrongState } from "../registry-errors.js";
import type { Masked } from "../resource-methods.js";
import { ANDROID, type AppKind, IOS, VALUE_OF, WEB } from "./app-kinds.js";
import { currentProject, type RegistryParts } from "./project-handlers.js";
import { appInfoMessage, appName, COLLECTIONS, changeOf, nothingDone, type ShownApp } from "./resources.js";

type Context = CallContext<ProjectCaller>;

export function appHandlers(parts: RegistryParts) {
  const { registry, changes } = parts;
  const ios = handlersOf(IOS);
  const android = handlersOf(ANDROID);
  const web = handlersOf(WEB);
  return {
    createIosApp: ios.create,
    getIosApp: ios.get,
    getIosAppConfig: ios.getConfig,
    listIosApps: ios.list,
    updateIosApp: ios.update,
    removeIosApp: ios.remove,
    undeleteIosApp: ios.undelete,
    createAndroidApp: android.create,
    getAndroidApp: android.get,
    getAndroidAppConfig: android.getConfig,
    listAndroidApps: android.list,
    updateAndroidApp: android.update,
    removeAndroidApp: android.remove,
    undeleteAndroidApp: android.undelete,
    createWebApp: web.create,
    getWebApp: web.get,
    getWebAppConfig: web.getConfig,
    listWebApps: web.list,
    updateWebApp: web.update,
    removeWebApp: web.remove,
    undeleteWebApp: web.undelete,
    searchApps: inProject(async (request: SearchAppsRequest, { caller }): Promise<SearchAppsResponse> => {
      const project = currentProject(registry, caller.project);
      const { items, nextPageToken } = await pageOf(parts, project, "SearchApps", request, () => true);
      return create(SearchAppsResponseSchema, {
        apps: items.map((app) => appInfoMessage({ project, app })),
        nextPageToken,
      });
    }),
  };

  function handlersOf<
    Field extends string,
    App extends { readonly etag: string },
    ListSchema extends DescMessage,
    Config,
  >({
    platform,
    name,
    fields,
    field,
    toMessage,
    toConfig,
    listSchema,
    read,
  }: AppKind<Field, App, ListSchema, Config>) {
    type Request = { readonly [F in Field]?: App | undefined };
    const findIfAny = ({ caller, resource }: Context): ShownApp | undefined => {
      const project = currentProject(registry, caller.project);
      const app = registry.appEvenRemoved(project.number, resource.idIn(COLLECTIONS[platform]));
      return app?.platform === platform && changes.isRestorable(app) ? { project, app } : undefined;
    };
    /** Finds the app that a call names, even if it is removed. */
    const find = (context: Context): ShownApp => {
      const id = context.resource.idIn(COLLECTIONS[platform]);
      const name = `projects/${context.caller.project.id}/${COLLECTIONS[platform]}/${id}`;
      const shown = findIfAny(context);
      if (shown === undefined) throw notFound(name);
      return shown;
    };
    const checkActive = (shown: ShownApp): void => {
      if (shown.app.deleteTime !== undefined) throw wrongState(appName(shown), "removed");
    };
    const checkEtag = (shown: ShownApp, etag: string): void => {
      if (etag !== "" && etag !== shown.app.etag) throw etagMismatch(appName(shown));
    };
    return {
      create: inProject(async (request: Request, { caller }): Promise<Operation> => {
        const project = currentProject(registry, caller.project);
        const violations = new ParameterViolations();
        const all = new Set([...fields.changeable, ...fields.immutable]);
        const values = read(request[field], all, violations);
        violations.throwIfAny();
        const note = auditNote(caller, `Create${name}`);
        return changeOf(platform, {
          project,
          app: await changes.createApp(project.number, platform, values, note),
        });
      }),

      get: inProject(async (_request: unknown, context): Promise<App> => toMessage(find(context))),

      getConfig: inProject(async (_request: unknown, context): Promise<Config> => {
        const shown = find(context);
        checkActive(shown);
        return toConfig(shown);
      }),

      list: inProject(async (request: ListAppsRequest, { caller }): Promise<MessageShape<ListSchema>> => {
        const project = currentProject(registry, caller.project);
        const isListed = (app: RegisteredApp) => app.platform === platform;
        const { items, nextPageToken } = await pageOf(parts, project, `List${name}s`, request, isListed);
        const apps = items.map((app) => toMessage({ project, app }));
        return Object.assign(create(listSchema), { apps, nextPageToken });
      }),

      update: inProject(async (request: Request & Masked, context): Promise<App> => {
        const requested = request[field];
        const mask = readUpdateMask(request.updateMask, fields, false);
        const { project, app } = find(context);
        if (app.isOfFile) throw ofFile(`the app ${app.id}`);
        const violations = new ParameterViolations();
        const values = read(requested, mask.size === 0 ? new Set(fields.changeable) : mask, violations);
        violations.throwIfAny();
        const isChanged = (value: keyof AppValues): boolean => mask.size > 0 || values[value].length > 0;
        const changed = [...(mask.size === 0 ? fields.changeable : mask)]
          .map((field) => VALUE_OF[field])
          .filter((value) => value !== undefined && isChanged(value));
        const next = Object.fromEntries(changed.map((value) => [value, value && values[value]]));
        const note = auditNote(context.caller, `Update${name}`);
        const check = (current: RegisteredApp): void => {
          checkActive({ project, app: current });
          checkEtag({ project, app: current }, requested?.etag ?? "");
        };
        return toMessage({ project, app: await changes.updateApp(app, next, note, check) });
      }),

      remove: inProject(async (request: RemoveAppRequest, context): Promise<Operation> => {
        await registry.refresh();
        if (request.allowMissing && findIfAny(context) === undefined) return nothingDone();
        const shown = find(context);
        const { project, app } = shown;
        if (app.isOfFile) throw ofFile(`the app ${app.id}`);
        const check = (current: RegisteredApp): void => {
          if (!request.immediate) checkActive({ project, app: current });
          checkEtag({ project, app: current }, request.etag);
        };
        check(app);
        if (request.validateOnly) return changeOf(platform, shown);
        const note = auditNote(context.caller, `Remove${name}`);
        const removed = await changes.removeApp(app, request.immediate, note, check);
        return changeOf(platform, { project, app: removed });
      }),

      undelete: inProject(async (request: UndeleteAppRequest, context): Promise<Operation> => {
        await registry.refresh();
        const shown = find(context);
        const { project, app } = shown;
        if (app.isOfFile) throw ofFile(`the app ${app.id}`);
        const check = (current: RegisteredApp): void => {
          if (current.deleteTime === undefined) throw wrongState(appName(shown), "not removed");
          checkEtag({ project, app: current }, request.etag);
        };
        check(app);
        if (request.validateOnly) return changeOf(platform, shown);
        const note = auditNote(context.caller, `Undelete${name}`);
        return changeOf(platform, { project, app: await changes.undeleteApp(app, note, check) });
      }),
    };
  }
}

function pageOf(
  { registry, changes, tokens }: RegistryParts,
  { number }: RegisteredProject,
  operation: string,
  request: PageRequest & { readonly showDeleted: boolean },
  isListed: (app: RegisteredApp) => boolean,
): Promise<Page<RegisteredApp>> {
  const { showDeleted } = request;
  const list = {
    operation,
    parent: `projects/${number}`,
    filter: showDeleted ? "deleted" : undefined,
    read: async (after: string | undefined, limit: number) =>
      itemsAfter(
        registry.apps(number),
        ({ id }) => after === undefined || byBytes(id, after) > 0,
        limit,
        (app) => (showDeleted ? changes.isRestorable(app) : app.deleteTime === undefined) && isListed(app),
      ),
    positionOf: ({ id }: RegisteredApp) => id,
  };
  return readPageOf(list, request, tokens);
}
