import {
  keepPreviousData,
  skipToken,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback } from "react";
import type { AuditFilter } from "#console/model/registry/audit.js";
import { PAGE_BY_PAGE } from "./api-part.js";
import type { RegistryApi } from "./registry-api.js";
import { useServices } from "./services.js";

/** Cache key prefixes of everything that the page can change. Includes incidents, because they contain annotations. */
export const MANAGED = {
  registry: "registry",
  integrity: "integrity",
  inbox: "inbox",
  annotations: "annotations",
  incidents: "incidents",
  targets: "targets",
  views: "views",
} as const;
const { registry: REGISTRY } = MANAGED;
/** Interval for retrying a registry that did not respond, in milliseconds. */
const ASK_AGAIN_MS = 15_000;

const askAgain = ({ state }: { readonly state: { readonly data: unknown } }) =>
  state.data === null && ASK_AGAIN_MS;

/** Returns the registry service. @throws Error if its address is unknown. */
export function useRegistryApi(): RegistryApi {
  const { registry } = useServices().api;
  if (registry === undefined) throw new Error("the registry address is unknown");
  return registry;
}

/** Reads the display names of projects, by id. Null while the registry does not respond. */
export function useProjectNames(): ReadonlyMap<string, string> | null | undefined {
  const { registry } = useServices().api;
  return useQuery({
    queryKey: [REGISTRY, "names"],
    queryFn: registry === undefined ? skipToken : ({ signal }) => registry.projectNames(signal),
    refetchInterval: askAgain,
  }).data;
}

/** Reads names of registered apps, by id. Null without a registry, or while it does not respond. */
export function useAppNames(project: string | undefined): ReadonlyMap<string, string> | null | undefined {
  const { registry } = useServices().api;
  const names = useQuery({
    queryKey: [REGISTRY, "appNames", project],
    queryFn:
      registry === undefined || project === undefined
        ? skipToken
        : ({ signal }) => registry.appNames(project, signal),
    refetchInterval: askAgain,
  }).data;
  return registry === undefined ? null : names;
}

/** Reads the viewer's permissions for changes. Null while the registry does not respond. */
export function usePermissions(project: string | undefined): ReadonlySet<string> | null | undefined {
  const { registry } = useServices().api;
  return useQuery({
    queryKey: [REGISTRY, "permissions", project],
    queryFn:
      registry === undefined || project === undefined
        ? skipToken
        : ({ signal }) => registry.permissions(project, signal),
    refetchInterval: askAgain,
  }).data;
}

/**
 * Returns true if the viewer may make a change. Also while the permissions are unknown, such as without a registry: the service
 * rejects changes that are not allowed.
 */
export const useMayChange = (project: string | undefined, permission: string): boolean =>
  usePermissions(project)?.has(permission) !== false;

export function useRegistry<T>(
  key: readonly [kind: string, project: string, ...unknown[]],
  read: (signal: AbortSignal) => Promise<T>,
): UseQueryResult<T> {
  return useQuery({ queryKey: [REGISTRY, ...key], queryFn: ({ signal }) => read(signal), staleTime: 0 });
}

/**
 * Reads the state that a dialog shows, each time it opens. While the dialog is open, the state changes only on request.
 */
export function useCurrentState<T>(
  key: readonly [kind: string, project: string, ...unknown[]],
  read: (signal: AbortSignal) => Promise<T>,
): UseQueryResult<T> {
  return useQuery({
    queryKey: ["current", ...key],
    queryFn: ({ signal }) => read(signal),
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** Returns a function that refetches everything that the page can change. Call it after each change. */
export function useChanged(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    await Promise.all(Object.values(MANAGED).map((key) => client.invalidateQueries({ queryKey: [key] })));
  }, [client]);
}

/** Reads a project's audit log, page by page. Keeps entries on the page while others load. */
export function useAuditLog(project: string, filter: AuditFilter) {
  const { registry } = useServices().api;
  return useInfiniteQuery({
    queryKey: [REGISTRY, "audit", project, filter],
    queryFn:
      registry === undefined
        ? skipToken
        : ({ pageParam, signal }) => registry.auditPage(project, filter, pageParam, signal),
    ...PAGE_BY_PAGE,
    placeholderData: keepPreviousData,
  });
}
