import type { VolumeFinder, VolumeFinding } from "./volume-score.js";

interface Counts {
  readonly days: Int32Array;
  readonly accepted: Float64Array;
  readonly outcomes: readonly Float64Array[];
}

/** A generator function that detects incidents and yields between its steps. */
type Detect = (
  app: Counts,
  labels: ReadonlyMap<string, Counts>,
  days: {
    readonly lastDay: number;
    readonly lacksEntries: boolean;
    readonly isEmpty: (day: number) => boolean;
  },
) => Generator<void, readonly VolumeFinding[]>;

/** Creates a finder that runs the rule until it is done. */
export const findVolumes =
  (detect: Detect): VolumeFinder =>
  (app, labels, lastDay) => {
    const ofLabels = new Map([...labels].map(([label, volume]) => [label, { ...volume, outcomes: [] }]));
    const days = { lastDay, lacksEntries: false, isEmpty: () => false };
    const finder = detect({ ...app, outcomes: [] }, ofLabels, days);
    for (;;) {
      const { done, value } = finder.next();
      if (done) return value;
    }
  };
