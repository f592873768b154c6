import type { Chance } from "./chance.js";

/** Accepted messages of one label or of the app: parallel columns. Days without messages are absent. */
export interface Volume {
  readonly days: Int32Array;
  readonly accepted: Float64Array;
}

/** A simulated change in the number of messages. */
export interface VolumeFault {
  readonly kind: "silence" | "fall" | "rise";
  readonly label: string | undefined;
  readonly from: number;
  /** Last day. */
  readonly to: number;
  /** Share of the usual messages that are still sent. */
  readonly factor: number;
}

/** Fraction of the usual messages that are still sent. */
export interface VolumeHistory {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly app: Volume;
  readonly labels: ReadonlyMap<string, Volume>;
  readonly fault: VolumeFault | undefined;
}

/** Sending pattern of an app. */
export type Sender =
  | "daily"
  | "weekdays"
  | "weekends"
  | "bursts"
  | "starting"
  | "fading"
  | "campaigns"
  | "campaigns on top";

export const SENDERS: readonly Sender[] = [
  "daily",
  "weekdays",
  "weekends",
  "bursts",
  "starting",
  "fading",
  "campaigns",
  "campaigns on top",
];

/** Properties of generated traffic. Omitted ones are random. */
export interface VolumeWishes {
  readonly days: number;
  readonly sender: Sender;
  /** Mean number of messages per day in the app. */
  readonly volume: number;
  readonly labels: number;
  readonly faultOf?: (
    labels: readonly string[],
    firstDay: number,
    isSent: (day: number) => boolean,
  ) => VolumeFault;
}

const MOST_CAMPAIGN_DAYS = 3;

const isWeekend = (day: number): boolean => day % 7 > 4;

/**
 * Generates message counts from a weekly pattern, noise that lasts several days, daily noise with outliers, a trend,
 * and campaigns. Counts vary around their mean like a mixture of Poisson and log-normal variables.
 */
export function randomVolumes(chance: Chance, wishes: VolumeWishes): VolumeHistory {
  const { sender, volume } = wishes;
  const firstDay = 20_000 + chance.whole(0, 6);
  const lastDay = firstDay + wishes.days - 1;
  const names = Array.from({ length: wishes.labels }, (_, index) => (index === 0 ? "" : `label-${index}`));
  const isSent = (day: number): boolean =>
    sender === "weekdays" ? !isWeekend(day) : sender === "weekends" ? isWeekend(day) : true;
  const fault = wishes.faultOf?.(names, firstDay, isSent);
  const shares = names.map(() => chance.between(0.5, 1.5));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const weekend = chance.between(0.4, 1.3);
  const week = Array.from({ length: 7 }, (_, day) => (day > 4 ? weekend : 1) * chance.between(0.9, 1.1));
  const noise = chance.between(0.05, 0.25);
  const trend = sender === "fading" ? -0.01 : sender === "starting" ? 0 : chance.between(-0.002, 0.004);
  const speed = chance.between(5, 15);
  const often = chance.between(0.15, 0.5);
  const rows = names.map((): { day: number; accepted: number }[] => []);
  let lasting = 0;
  let campaign = 0;
  let campaignDays = 0;
  for (let day = firstDay; day <= lastDay; day++) {
    const index = day - firstDay;
    lasting = 0.7 * lasting + 0.7 * noise * chance.normal();
    const ofDay = 0.5 * noise * chance.normal() * (chance.happens(0.03) ? 2.5 : 1);
    if (campaign >= 1) {
      campaign = chance.happens(0.4) && ++campaignDays < MOST_CAMPAIGN_DAYS ? campaign : 0;
    } else if (chance.happens(sender === "bursts" ? 0.04 : often)) {
      campaign = chance.between(2, 10);
      campaignDays = 1;
    }
    const growth = sender === "starting" ? 1 / (1 + Math.exp((15 - index) / speed)) : Math.exp(trend * index);
    const base = volume * growth * (week[day % 7] ?? 1) * Math.exp(lasting + ofDay);
    const burst = sender === "bursts" && campaign >= 1 && chance.happens(0.7) ? campaign : 1;
    const ofCampaigns = campaign >= 1 ? campaign * volume * Math.exp(0.5 * chance.normal()) : 0;
    const mean =
      sender === "campaigns"
        ? ofCampaigns
        : sender === "campaigns on top"
          ? 0.3 * base + ofCampaigns
          : base * burst;
    for (const [row, name] of names.entries()) {
      const isFaulty =
        fault !== undefined &&
        day >= fault.from &&
        day <= fault.to &&
        (fault.label === undefined || fault.label === name);
      const share = ((shares[row] ?? 1) / total) * Math.exp(0.1 * chance.normal());
      const accepted = isSent(day) ? poisson(chance, mean * share * (isFaulty ? fault.factor : 1)) : 0;
      if (accepted > 0) rows[row]?.push({ day, accepted });
    }
  }
  const labels = new Map(names.map((name, row) => [name, volumeOf(rows[row] ?? [])]));
  const sums = new Map<number, number>();
  for (const { day, accepted } of rows.flat()) sums.set(day, (sums.get(day) ?? 0) + accepted);
  const app = volumeOf([...sums].sort(([a], [b]) => a - b).map(([day, accepted]) => ({ day, accepted })));
  return { firstDay, lastDay, app, labels, fault };
}

const volumeOf = (rows: readonly { readonly day: number; readonly accepted: number }[]): Volume => ({
  days: Int32Array.from(rows, ({ day }) => day),
  accepted: Float64Array.from(rows, ({ accepted }) => accepted),
});

function poisson(chance: Chance, mean: number): number {
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * chance.normal()));
  let count = -1;
  for (let left = Math.exp(-mean), product = 1; product > left || count < 0; count++) {
    if (product <= left) break;
    product *= chance.fraction();
  }
  return Math.max(0, count);
}
