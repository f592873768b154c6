import { useQueries } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { groupsKey } from "#console/api/queries.js";
import { blockingError, type ReadState } from "#console/api/read-state.js";
import type { EntriesSelection, GroupsQuery } from "#console/api/requests.js";
import { useServices } from "#console/api/services.js";
import type { DeliveryGroup } from "#console/api/waybill-api.js";
import { daysIn } from "#console/model/days/day-range.js";
import { type ChartDay, chartDaysOf, rowsByPeriod, totalOf } from "#console/model/figures/chart-day.js";

/** Days of several labels, and their loading state. */
export interface LabelDays {
  /** Undefined while loading. */
  daysOf(label: string): readonly ChartDay[] | undefined;
  readonly error: Error | undefined;
}

/** Reads the days or, in a long range, the weeks of several labels. */
export function useLabelPeriods(selection: EntriesSelection, labels: readonly string[]): LabelDays {
  const { range } = selection;
  const { daysOf, error } = useLabelDays(selection, labels);
  const periodsOf = useMemo(() => {
    const known = new Map<string, readonly ChartDay[]>();
    return (label: string): readonly ChartDay[] | undefined => {
      const days = known.has(label) ? undefined : daysOf(label);
      if (days !== undefined) known.set(label, rowsByPeriod(days, range, totalOf));
      return known.get(label);
    };
  }, [daysOf, range]);
  return { daysOf: periodsOf, error };
}

/** Reads several labels per request, within the service's limit for groups. */
export function useLabelDays(selection: EntriesSelection, labels: readonly string[]): LabelDays {
  const { api } = useServices();
  const { range } = selection;
  const chunks = useMemo(() => labelChunks(labels, daysIn(range)), [labels, range]);
  const combine = useCallback(
    (
      results: readonly (ReadState & {
        data: readonly DeliveryGroup[] | undefined;
      })[],
    ) => {
      const days = new Map<string, readonly ChartDay[]>();
      results.forEach(({ data }, index) => {
        if (data === undefined) return;
        const groups = new Map<string, DeliveryGroup[]>((chunks[index] ?? []).map((label) => [label, []]));
        for (const group of data) groups.get(group.label)?.push(group);
        for (const [label, some] of groups) days.set(label, chartDaysOf(some));
      });
      const [error] = results.flatMap((result) => blockingError(result) ?? []);
      return {
        daysOf: (label: string) => days.get(label),
        error,
      };
    },
    [chunks],
  );
  return useQueries({
    queries: chunks.map((some) => {
      const query: GroupsQuery = { ...selection, labels: some, groupBy: ["DATE", "ANALYTICS_LABEL"] };
      return {
        queryKey: groupsKey(query),
        queryFn: ({ signal }: { signal: AbortSignal }) => api.groups(query, signal),
      };
    }),
    combine,
  });
}

/** The service's maximum number of groups per request. */
const MAX_GROUPS = 10_000;
/** Maximum number of labels per request, so that the filter fits into the URL. */
const MAX_LABELS = 24;

/**
 * Splits labels into requests for sums by day and label, within the service's limit for groups. Sorts the labels first,
 * so that their order does not change the requests.
 *
 * @param days number of days in the range
 */
export function labelChunks(labels: readonly string[], days: number): readonly (readonly string[])[] {
  const size = Math.max(1, Math.min(MAX_LABELS, Math.floor(MAX_GROUPS / days)));
  const sorted = [...labels].sort();
  return Array.from({ length: Math.ceil(sorted.length / size) }, (_, index) =>
    sorted.slice(index * size, (index + 1) * size),
  );
}
