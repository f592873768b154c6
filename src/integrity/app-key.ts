import type { ProjectCaller } from "../api/caller.js";
import { appNotFound } from "../api/errors.js";
import type { CallContext } from "../api/service.js";
import type { Project } from "../model/names.js";
import type { RegisteredApp } from "../registry/entries.js";
import type { Registry } from "../registry/registry.js";

/** Identifies an app, with the project number. */
export interface AppKey {
  readonly project: string;
  readonly appId: string;
}

/** Returns the beginning of record keys of an app. App ids contain no slashes. */
export const keyPrefix = ({ project, appId }: AppKey): string => `${project}/${appId}/`;

/** Returns a registered app. @throws ApiError `RESOURCE_NOT_FOUND` if the app is not registered. */
export function expectApp(registry: Pick<Registry, "app">, project: Project, appId: string): RegisteredApp {
  const app = registry.app(project.number, appId);
  if (app === undefined) throw appNotFound(project.number, appId);
  return app;
}

/** Returns the app that a call names. @throws the same error as {@link expectApp}. */
export function appOfCall(
  registry: Pick<Registry, "app">,
  { caller: { project }, resource }: Pick<CallContext<ProjectCaller>, "caller" | "resource">,
): AppKey {
  const appId = resource.idIn("apps");
  expectApp(registry, project, appId);
  return { project: project.number, appId };
}
