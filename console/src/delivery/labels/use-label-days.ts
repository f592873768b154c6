import { useQueries } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { DeliveryGroup } from "../../api/delivery-group.js";
import type { EntriesSelection, GroupsQuery } from "../../api/requests.js";
import { useServices } from "../../app/services.js";
import { type ChartDay, chartDaysOf } from "../../charts/chart-day.js";
import { daysIn } from "../../days/day-range.js";
import { blockingError } from "../../states/blocking-error.js";
import { appQueryKey } from "../keep-of-same-app.js";
import { labelChunks } from "./label-chunks.js";

/** What is known of the days of some labels so far. */
export interface LabelDays {
  /** Undefined for a label as long as its days are on their way. */
  daysOf(label: string): readonly ChartDay[] | undefined;
  readonly error: Error | undefined;
  retry(): void;
}

/** The days of labels, in requests of as many labels as the service sums up at once. */
export function useLabelDays(selection: EntriesSelection, labels: readonly string[]): LabelDays {
  const { api } = useServices();
  const chunks = useMemo(() => labelChunks(labels, daysIn(selection.range)), [labels, selection.range]);
  const combine = useCallback(
    (
      results: readonly {
        data: readonly DeliveryGroup[] | undefined;
        error: Error | null;
        refetch: () => unknown;
      }[],
    ) => {
      const days = new Map<string, readonly ChartDay[]>();
      results.forEach(({ data }, index) => {
        if (data === undefined) return;
        const groups = new Map<string, DeliveryGroup[]>((chunks[index] ?? []).map((label) => [label, []]));
        for (const group of data) groups.get(group.label)?.push(group);
        for (const [label, some] of groups) days.set(label, chartDaysOf(some));
      });
      const failed = results.filter((result) => blockingError(result) !== undefined);
      return {
        daysOf: (label: string) => days.get(label),
        error: failed[0]?.error ?? undefined,
        retry: () => {
          for (const { refetch } of failed) refetch();
        },
      };
    },
    [chunks],
  );
  return useQueries({
    queries: chunks.map((some) => {
      const query: GroupsQuery = { ...selection, labels: some, groupBy: ["DATE", "ANALYTICS_LABEL"] };
      return {
        queryKey: appQueryKey("groups", query),
        queryFn: ({ signal }: { signal: AbortSignal }) => api.groups(query, signal),
      };
    }),
    combine,
  });
}
