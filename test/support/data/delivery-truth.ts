import type { DataJson } from "../../../src/gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import type { Entry } from "./delivery-data.js";

/** The denominator of each group of percentages. */
const GROUPS = {
  messageOutcomePercents: "countMessagesAccepted",
  deliveryPerformancePercents: "countMessagesAccepted",
  messageInsightPercents: "countMessagesAccepted",
  proxyNotificationInsightPercents: "countNotificationsAccepted",
} as const;

/** Sums of counts by name. */
export type TrueCounts = Readonly<Record<string, number>>;

/** The summed counts of entries, computed from their percentages. */
export function countsIn(entries: readonly Entry[]): TrueCounts {
  const counts: Record<string, number> = { countMessagesAccepted: 0, countNotificationsAccepted: 0 };
  const add = (name: string, count: number): void => {
    counts[name] = (counts[name] ?? 0) + count;
  };
  for (const entry of entries) {
    const data: DataJson = entry.data;
    add("countMessagesAccepted", Number(data.countMessagesAccepted ?? 0));
    add("countNotificationsAccepted", Number(data.countNotificationsAccepted ?? 0));
    for (const [group, denominator] of Object.entries(GROUPS) as [keyof typeof GROUPS, keyof DataJson][]) {
      for (const [name, percent] of Object.entries(data[group] ?? {})) {
        add(name, Math.round((Number(percent) * Number(data[denominator] ?? 0)) / 100));
      }
    }
  }
  return counts;
}

const PERCENT = new Intl.NumberFormat("en-US", {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** A share as the page shows it in English. */
export function percentText(count = 0, of = 0): string {
  if (of === 0) return "–";
  const percent = (100 * count) / of;
  if (percent > 0 && percent < 0.05) return "<0.1%";
  if (percent < 100 && percent >= 99.95) return ">99.9%";
  return PERCENT.format(percent / 100);
}

/** A count as the page shows it in English. */
export const countText = (count = 0): string => count.toLocaleString("en-US");
