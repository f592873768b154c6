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

export function useLabelDays(selection: EntriesSelection, labels: readonly string[]): LabelDays {
  const { groupsOf, error } = useLabelGroups(selection, labels, "DATE", daysIn(selection.range));
  const daysOf = useMemo(() => {
    const known = new Map<string, readonly ChartDay[]>();
    return (label: string): readonly ChartDay[] | undefined => {
      const groups = known.has(label) ? undefined : groupsOf(label);
      if (groups !== undefined) known.set(label, chartDaysOf(groups));
      return known.get(label);
    };
  }, [groupsOf]);
  return { daysOf, error };
}

/** Sums of several labels, and their loading state. */
export interface LabelGroups {
  /** Undefined while loading. */
  groupsOf(label: string): readonly DeliveryGroup[] | undefined;
  readonly error: Error | undefined;
}

/**
 * Reads sums of labels by date or by app. Reads several labels per request, within the service's limit for groups.
 *
 * @param most maximum number of dates or apps of a label
 */
export function useLabelGroups(
  selection: EntriesSelection,
  labels: readonly string[],
  dimension: "DATE" | "APP",
  most: number,
): LabelGroups {
  const { api } = useServices();
  const chunks = useMemo(() => labelChunks(labels, most), [labels, most]);
  const combine = useCallback(
    (
      results: readonly (ReadState & {
        data: readonly DeliveryGroup[] | undefined;
      })[],
    ) => {
      const byLabel = new Map<string, readonly DeliveryGroup[]>();
      results.forEach(({ data }, index) => {
        if (data === undefined) return;
        const groups = new Map<string, DeliveryGroup[]>((chunks[index] ?? []).map((label) => [label, []]));
        for (const group of data) groups.get(group.label)?.push(group);
        for (const [label, some] of groups) byLabel.set(label, some);
      });
      const [error] = results.flatMap((result) => blockingError(result) ?? []);
      return { groupsOf: (label: string) => byLabel.get(label), error };
    },
    [chunks],
  );
  return useQueries({
    queries: chunks.map((some) => {
      const query: GroupsQuery = { ...selection, labels: some, groupBy: [dimension, "ANALYTICS_LABEL"] };
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
 * Splits labels into requests for sums, within the service's limit for groups. Sorts the labels first, so that their
 * order does not change the requests.
 *
 * @param most maximum number of groups of a label
 */
export function labelChunks(labels: readonly string[], most: number): readonly (readonly string[])[] {
  const size = Math.max(1, Math.min(MAX_LABELS, Math.floor(MAX_GROUPS / most)));
  const sorted = [...labels].sort();
  return Array.from({ length: Math.ceil(sorted.length / size) }, (_, index) =>
    sorted.slice(index * size, (index + 1) * size),
  );
}
