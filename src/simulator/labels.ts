import { longTail } from "./weighted-choice.js";

/** Share of messages without a label. */
const UNLABELLED = 0.2;

/** Campaign names that cover every kind of character in labels. */
const CAMPAIGNS = [
  "order_status",
  "promo",
  "Weekly-Digest",
  "chat",
  "news.v2",
  "100%off",
  "re~engage",
  "7day",
];

/** Returns the empty label, which means no label, followed by `count` labels. */
export function labelNames(count: number): string[] {
  const names = Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / CAMPAIGNS.length);
    const campaign = CAMPAIGNS[index % CAMPAIGNS.length] ?? "";
    return round === 0 ? campaign : `${campaign}-${round}`;
  });
  return ["", ...names];
}

/** Returns the relative frequency of each of the {@link labelNames}: a few are frequent, most are rare. */
export function labelWeights(count: number): number[] {
  const tail = longTail(count, 1.1);
  const labelled = tail.reduce((sum, weight) => sum + weight, 0);
  return [count === 0 ? 1 : (labelled * UNLABELLED) / (1 - UNLABELLED), ...tail];
}
