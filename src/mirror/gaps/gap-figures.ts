import type { AndroidMirrorGap_Kind as Kind } from "../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import type { Day } from "../../model/day.js";
import type { MirrorGap } from "./mirror-gap.js";

/** Figures of gaps. */
export interface GapFigures {
  /** Number of gaps by kind; kinds without any are missing. */
  readonly counts: ReadonlyMap<Kind, number>;
  /** The days from today on that are the last on which the original gives something that is missing. */
  readonly expireDays: ReadonlySet<Day>;
}

/** Computes figures of gaps, of which it keeps none. */
export async function gapFigures(
  gaps: AsyncIterable<readonly MirrorGap[]> | Iterable<readonly MirrorGap[]>,
  today: Day,
): Promise<GapFigures> {
  const counts = new Map<Kind, number>();
  const expireDays = new Set<Day>();
  for await (const ofApp of gaps) {
    for (const { kind, expireDay } of ofApp) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (expireDay !== undefined && expireDay >= today) expireDays.add(expireDay);
    }
  }
  return { counts, expireDays };
}
