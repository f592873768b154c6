import { startOfDay } from "../../../src/model/day.js";
import { Random } from "../../../src/simulator/random.js";

/** Messages of some labels of an app. All devices are connected, and a share of the messages is delivered. */
export interface FaultyTraffic {
  readonly appId: string;
  /** First day (`src/model/day.ts`). */
  readonly startDay: number;
  readonly days: number;
  readonly labels: readonly string[];
  /** Messages of each label on each day. */
  readonly messages: number;
  /** Returns the probability that a message is delivered; the others expire. */
  readonly delivered: (label: string, day: number) => number;
}

/** Yields the events of each day, as lines. */
export function* faultyTraffic(traffic: FaultyTraffic): Generator<string> {
  const { appId, startDay, days, labels, messages, delivered } = traffic;
  const random = new Random(7);
  for (let day = startDay; day < startDay + days; day++) {
    const lines: string[] = [];
    const noon = startOfDay(day) + 12 * 3_600_000;
    for (const analyticsLabel of labels) {
      for (let i = 0; i < messages; i++) {
        const of = { appId, messageId: `${day}/${analyticsLabel}/${i}` };
        const at = (seconds: number) => new Date(noon + seconds * 1_000).toISOString();
        const isDelivered = random.chance(delivered(analyticsLabel, day));
        lines.push(
          JSON.stringify({
            ...of,
            eventTime: at(0),
            eventType: "ACCEPTED",
            analyticsLabel,
            usageReportingOptIn: true,
          }),
          JSON.stringify({
            ...of,
            eventTime: at(1),
            eventType: isDelivered ? "DELIVERED" : "DROPPED_TTL_EXPIRED",
          }),
        );
      }
    }
    yield `${lines.join("\n")}\n`;
  }
}
