import { formatTtl } from "../numbers/format-number.js";

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Usual lifetimes, from the shortest to the longest possible one, in seconds. */
const USUAL: readonly number[] = [HOUR / 2, HOUR, 2 * HOUR, 4 * HOUR, 12 * HOUR, DAY, 3 * DAY, 7 * DAY];

/** Returns lifetimes to choose from, with the current one, from the shortest to the longest. */
export const lifetimeOptions = (
  current: string,
): readonly { readonly value: string; readonly text: string }[] => {
  const usual = USUAL.map((seconds) => `${seconds}s`);
  const all = usual.includes(current) ? usual : [...usual, current];
  return all
    .toSorted((a, b) => Number.parseFloat(a) - Number.parseFloat(b))
    .map((value) => ({ value, text: formatTtl(value) }));
};
