/** Length of `2026-11-22T21:04:05.`, the text of a second. */
const SECOND_LENGTH = 20;

/**
 * Makes a function that writes times as `toISOString` does, several times as fast for times within the same
 * second.
 */
export function isoTimes(): (ms: number) => string {
  let second = Number.NaN;
  let text = "";
  return (ms) => {
    const ofSecond = Math.floor(ms / 1_000);
    if (ofSecond !== second) {
      second = ofSecond;
      text = new Date(ms).toISOString().slice(0, SECOND_LENGTH);
    }
    return `${text}${String(ms - 1_000 * second).padStart(3, "0")}Z`;
  };
}
