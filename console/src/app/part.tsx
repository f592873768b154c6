import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { fetchConsoleConfig } from "#console/api/console-config.js";
import { blockingError } from "#console/api/read-state.js";
import { TABS, type Tab } from "#console/model/view/view.js";
import { Failure, OutdatedPageError } from "#console/ui/states/failure.js";
import { Skeleton } from "#console/ui/states/loaded.js";

const LOADERS: Readonly<Record<Tab, () => Promise<{ readonly default: () => ReactNode }>>> = {
  project: () => import("#console/parts/project/project.js"),
  incidents: () => import("#console/parts/incidents/incidents.js"),
  overview: () => import("#console/parts/overview/overview.js"),
  labels: () => import("#console/parts/labels/labels.js"),
  entries: () => import("#console/parts/entries/entries.js"),
  compare: () => import("#console/parts/compare/compare.js"),
  integrity: () => import("#console/parts/integrity/integrity.js"),
  settings: () => import("#console/parts/settings/settings.js"),
};

/** Approximate height of a part in pixels. Reserves space, so that the footer does not jump. */
export const PART_HEIGHT = 900;

/** A part of the console. Its code is downloaded when it is first shown, unless {@link usePartsAhead} was faster. */
export function Part({ tab }: { tab: Tab }): ReactNode {
  const part = useQuery(partQuery(tab));
  const { data: Shown } = part;
  if (Shown !== undefined) return <Shown />;
  const error = blockingError(part);
  if (error === undefined) return <Skeleton height={PART_HEIGHT} />;
  const reload = error instanceof OutdatedPageError ? () => window.location.reload() : undefined;
  return <Failure error={error} retry={reload} />;
}

/** Downloads all parts when the browser is idle, so that they open even while the server is down. */
export function usePartsAhead(): void {
  const client = useQueryClient();
  useEffect(() => whenIdle(() => prefetchParts(client)), [client]);
}

const partQuery = (tab: Tab) => ({
  queryKey: ["part", tab] as const,
  queryFn: () => loadPart(tab),
  staleTime: Infinity,
  gcTime: Infinity,
});

async function loadPart(tab: Tab): Promise<() => ReactNode> {
  try {
    return (await LOADERS[tab]()).default;
  } catch {
    // Throws another error if the server is down. If it responds, a new version has other file names, or the
    // browser has cached the failed import until the page is reloaded.
    await fetchConsoleConfig();
    throw new OutdatedPageError();
  }
}

function prefetchParts(client: QueryClient): void {
  for (const tab of TABS) void client.prefetchQuery(partQuery(tab));
}

/** Calls a function when the browser is idle. @returns a function that cancels the call. */
function whenIdle(call: () => void): () => void {
  // Safari has no idle callbacks.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(call, 1_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(call);
  return () => cancelIdleCallback(handle);
}
