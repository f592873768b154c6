import { longTail } from "./weighted-choice.js";

/** The share of messages that are sent without a label. */
const UNLABELLED = 0.2;

/** Names of campaigns, with every kind of character that a label may have. */
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

/** `count` labels after the empty one, which stands for no label. */
export function labelNames(count: number): string[] {
  const names = Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / CAMPAIGNS.length);
    const campaign = CAMPAIGNS[index % CAMPAIGNS.length] ?? "";
    return round === 0 ? campaign : `${campaign}-${round}`;
  });
  return ["", ...names];
}

/** How often each of {@link labelNames} is used: a few all the time, most of them rarely. */
export function labelWeights(count: number): number[] {
  const tail = longTail(count, 1.1);
  const labelled = tail.reduce((sum, weight) => sum + weight, 0);
  return [count === 0 ? 1 : (labelled * UNLABELLED) / (1 - UNLABELLED), ...tail];
}
