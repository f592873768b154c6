/** The confidence in an incident, in percent. None is certain, though the number nearest to its confidence may be 1. */
export const surePercent = (confidence: number): number =>
  Math.min(Math.floor(confidence * 10_000), 9_999) / 100;
