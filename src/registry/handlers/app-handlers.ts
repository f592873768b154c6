import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { ParameterViolations } from "../../api/api-error.js";
import type { ProjectCaller } from "../../api/caller.js";
import type { CallContext } from "../../api/service.js";
import { readUpdateMask } from "../../api/update-mask.js";
import {
  type AndroidApp,
  type IosApp,
  type ListAppsRequest,
  type Operation,
  type RemoveAppRequest,
  type SearchAppsRequest,
  type SearchAppsResponse,
  SearchAppsResponseSchema,
  type UndeleteAppRequest,
  type WebApp,
} from "../../gen/waybill/registry/v1/registry_pb.js";
import { byBytes } from "../../model/collections.js";
import { itemsAfter, type Page, type PageRequest, readPageOf } from "../../paging/page.js";
import { auditNote } from "../audit/audit-note.js";
import type { AppValues, RegisteredApp, RegisteredProject } from "../entries.js";
import { etagMismatch, notFound, ofFile, wrongState } from "../registry-errors.js";
import { ANDROID, type AppKind, IOS, VALUE_OF, WEB } from "./app-kinds.js";
import type { RegistryParts } from "./project-handlers.js";
import { appInfoMessage, appName, COLLECTIONS, changeOf, nothingDone, type ShownApp } from "./resources.js";

type Context = CallContext<ProjectCaller>;

export function appHandlers(parts: RegistryParts) {
  const { registry, changes } = parts;
  const ios = handlersOf(IOS);
  const android = handlersOf(ANDROID);
  const web = handlersOf(WEB);
  return {
    createIosApp: ({ iosApp }: { iosApp?: IosApp | undefined }, context: Context) =>
      ios.create(iosApp, context),
    getIosApp: ios.get,
    getIosAppConfig: ios.getConfig,
    listIosApps: ios.list,
    updateIosApp: (
      request: { iosApp?: IosApp | undefined; updateMask?: FieldMask | undefined },
      context: Context,
    ) => ios.update(request.iosApp, request.updateMask, context),
    removeIosApp: ios.remove,
    undeleteIosApp: ios.undelete,
    createAndroidApp: ({ androidApp }: { androidApp?: AndroidApp | undefined }, context: Context) =>
      android.create(androidApp, context),
    getAndroidApp: android.get,
    getAndroidAppConfig: android.getConfig,
    listAndroidApps: android.list,
    updateAndroidApp: (
      request: { androidApp?: AndroidApp | undefined; updateMask?: FieldMask | undefined },
      context: Context,
    ) => android.update(request.androidApp, request.updateMask, context),
    removeAndroidApp: android.remove,
    undeleteAndroidApp: android.undelete,
    createWebApp: ({ webApp }: { webApp?: WebApp | undefined }, context: Context) =>
      web.create(webApp, context),
    getWebApp: web.get,
    getWebAppConfig: web.getConfig,
    listWebApps: web.list,
    updateWebApp: (
      request: { webApp?: WebApp | undefined; updateMask?: FieldMask | undefined },
      context: Context,
    ) => web.update(request.webApp, request.updateMask, context),
    removeWebApp: web.remove,
    undeleteWebApp: web.undelete,

    searchApps: async (request: SearchAppsRequest, { caller }: Context): Promise<SearchAppsResponse> => {
      const project = currentOf(parts, caller);
      const { items, nextPageToken } = await pageOf(parts, project, "SearchApps", request, () => true);
      return create(SearchAppsResponseSchema, {
        apps: items.map((app) => appInfoMessage({ project, app })),
        nextPageToken,
      });
    },
  };

  function handlersOf<App extends { readonly etag: string }, ListSchema extends DescMessage, Config>({
    platform,
    name,
    fields,
    toMessage,
    toConfig,
    listSchema,
    read,
  }: AppKind<App, ListSchema, Config>) {
    const findIfAny = ({ caller, resource }: Context): ShownApp | undefined => {
      const project = currentOf(parts, caller);
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
      create: async (requested: App | undefined, { caller }: Context): Promise<Operation> => {
        const project = currentOf(parts, caller);
        const violations = new ParameterViolations();
        const all = new Set([...fields.changeable, ...fields.immutable]);
        const values = read(requested, all, violations);
        violations.throwIfAny();
        const note = auditNote(caller, `Create${name}`);
        return changeOf(platform, {
          project,
          app: await changes.createApp(project.number, platform, values, note),
        });
      },

      get: async (_request: unknown, context: Context): Promise<App> => toMessage(find(context)),

      getConfig: async (_request: unknown, context: Context): Promise<Config> => {
        const shown = find(context);
        checkActive(shown);
        return toConfig(shown);
      },

      list: async (request: ListAppsRequest, { caller }: Context): Promise<MessageShape<ListSchema>> => {
        const project = currentOf(parts, caller);
        const isListed = (app: RegisteredApp) => app.platform === platform;
        const { items, nextPageToken } = await pageOf(parts, project, `List${name}s`, request, isListed);
        const apps = items.map((app) => toMessage({ project, app }));
        return Object.assign(create(listSchema), { apps, nextPageToken });
      },

      update: async (
        requested: App | undefined,
        updateMask: FieldMask | undefined,
        context: Context,
      ): Promise<App> => {
        const mask = readUpdateMask(updateMask, fields, false);
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
      },

      remove: async (request: RemoveAppRequest, context: Context): Promise<Operation> => {
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
      },

      undelete: async (request: UndeleteAppRequest, context: Context): Promise<Operation> => {
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
      },
    };
  }
}

function currentOf({ registry }: RegistryParts, { project: { number } }: ProjectCaller): RegisteredProject {
  const project = registry.project(number);
  if (project === undefined) throw notFound(`projects/${number}`);
  return project;
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
