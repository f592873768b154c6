import { createHash } from "node:crypto";
import fc from "fast-check";
import {
  MessageEvent_EventType as EventType,
  MessageEvent_EventTypeSchema as EventTypeSchema,
} from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { type Day, dayOf, startOfDay } from "../../model/day.js";
import { OUTCOMES, PROXY_RESULTS } from "../../model/event-types.js";
import type { MessageEventStore } from "../message-event-store.js";
import { NameList, NONE, numbered, type StateBlock, type StateColumns } from "../state-block.js";
import { StateMerger } from "../state-merger.js";
import type { NaiveEvent } from "./naive-rollup.js";

export const PROJECT = "123456789012";
export const OTHER_PROJECT = "210987654321";

export const accepted = (over: Partial<NaiveEvent>): NaiveEvent => ({
  appId: "app",
  messageId: "m",
  eventTime: "2026-03-05T12:00:00Z",
  eventType: "ACCEPTED",
  usageReportingOptIn: true,
  ...over,
});

/**
 * Instants around the edges of days, including both changes of daylight saving time. There are few, so that events
 * are often simultaneous.
 */
const INSTANTS = [
  "2026-03-08T07:59:59.999Z",
  "2026-03-08T08:00:00.000Z",
  "2026-03-08T09:59:59.999Z",
  "2026-03-08T10:00:00.000Z",
  "2026-03-09T06:59:59.999Z",
  "2026-03-08T23:59:59.999-07:00",
  "2026-03-09T07:00:00.000Z",
  "2026-11-01T08:30:00.000Z",
  "2026-11-01T09:30:00.000Z",
  "2026-11-02T07:59:59.999Z",
  "2026-11-02T08:00:00.000Z",
  "2026-11-02T13:30:00.0009+05:30",
] as const;

/** Generates events of a few messages to two apps. */
export const history = historyAt(INSTANTS);

/** Like {@link history}, at no more than four of its instants, because the engine needs a while to roll up a day. */
export const shortHistory = fc
  .shuffledSubarray([...INSTANTS], { minLength: 1, maxLength: 4 })
  .chain(historyAt);

function historyAt(instants: readonly string[]) {
  return fc.array(
    fc.record(
      {
        appId: fc.constantFrom("app", "app-2"),
        messageId: fc.constantFrom("a", "b", "c", "ä", "a-much-longer-message-id-0123456789"),
        eventTime: fc.constantFrom(...instants),
        eventType: fc.constantFrom(
          ...EventTypeSchema.values.slice(1).map(({ name }) => name),
          "ACCEPTED",
          "DELIVERED",
        ),
        analyticsLabel: fc.constantFrom("", "a", "B", "b", "~"),
        notification: fc.boolean(),
        usageReportingOptIn: fc.constantFrom(true, true, true, false),
      },
      { requiredKeys: ["appId", "messageId", "eventTime", "eventType"] },
    ),
    { maxLength: 40 },
  );
}

/** Returns import blocks. There are two, as in large imports. */
export function blocksOf(events: readonly NaiveEvent[]): StateBlock[] {
  const middle = Math.ceil(events.length / 2);
  return [events.slice(0, middle), events.slice(middle)].map((part) => blockOf(part));
}

const typeNamed = ({ eventType }: NaiveEvent): EventType => EventType[eventType as keyof typeof EventType];

/** Returns an import's merged events, without ACCEPTED events of devices that did not opt in. */
export function blockOf(events: readonly NaiveEvent[], typeOf = typeNamed): StateBlock {
  const merger = new StateMerger(events.length);
  const [apps, labels] = [new NameList(), new NameList([""])];
  const days = new Map<Day, number>();
  for (const event of events) {
    const type = typeOf(event);
    const isAccepted = type === EventType.ACCEPTED;
    if (isAccepted && event.usageReportingOptIn !== true) continue;
    const time = Date.parse(event.eventTime);
    const day = dayOf(time);
    const millisecond = time - startOfDay(day);
    const key = keyOf(event);
    const [bit, rank] = [1 << type, 32 * millisecond + type];
    const state: StateColumns = {
      length: 1,
      apps: [event.appId],
      labels: ["", (isAccepted && event.analyticsLabel) || ""],
      app: Int32Array.of(0),
      day: Int32Array.of(day),
      keyHigh: key.subarray(0, 2),
      keyLow: key.subarray(2),
      acceptedAt: Uint32Array.of(isAccepted ? millisecond : NONE),
      label: Int32Array.of(1),
      notification: Uint8Array.of(isAccepted && event.notification === true ? 1 : 0),
      outcome: Uint32Array.of((bit & OUTCOMES) !== 0 ? rank : NONE),
      proxy: Uint32Array.of((bit & PROXY_RESULTS) !== 0 ? rank : NONE),
      seen: Uint32Array.of(bit),
    };
    merger.addStates(numbered(state, apps, labels), 0, 1, new Set([day]));
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  return { ...merger.take(), apps: apps.names, labels: labels.names, days };
}

function keyOf({ appId, messageId }: NaiveEvent): Uint32Array {
  const digest = createHash("sha256")
    .update(JSON.stringify([appId, messageId]))
    .digest();
  return Uint32Array.from({ length: 4 }, (_, word) => digest.readUInt32LE(4 * word));
}

/** Rolls up until no day is stale. */
export async function settle(store: MessageEventStore): Promise<void> {
  for (const { project } of await store.staleProjects()) {
    for (;;) {
      const days = await store.staleDays({ project, limit: 100 });
      if (days.length === 0) break;
      await store.rollUp(project, days);
    }
  }
}
