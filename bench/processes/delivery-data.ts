import { MessageEvent_EventType as EventType } from "#dist/gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { acceptedAt } from "#dist/messaging-data/events/event-time.js";
import { parseSegment } from "#dist/messaging-data/events/parse-segment.js";
import { type Day, startOfDay } from "#dist/model/day.js";
import { openStore } from "../support/data/day-store.js";
import { respondToQuestions } from "../support/process.js";
import { PROJECT } from "../support/waybill-server.js";

/** The entries to create: one for each app, label and day. */
export interface EntriesQuestion {
  readonly dataDirectory: string;
  readonly apps: readonly string[];
  readonly labels: number;
  readonly firstDay: Day;
  readonly days: number;
}

const MAX_LINE_BYTES = 8 * 1024;
const DAYS = acceptedAt(Date.now(), { from: 0, ahead: 0 });

/** Event types of each entry's messages, chosen so that every percentage group has fractional values. */
const MESSAGES = [
  [EventType.ACCEPTED, EventType.DELIVERED, EventType.PROXY_PROXIED],
  [EventType.ACCEPTED, EventType.DELAYED_DEVICE_OFFLINE, EventType.DELIVERED],
  [EventType.ACCEPTED, EventType.DROPPED_TTL_EXPIRED],
];

/** Fills the empty store of a server that has not started yet, through events and rollups. */
respondToQuestions(async (question: EntriesQuestion): Promise<"done"> => {
  const store = await openStore(question.dataDirectory);
  const labels = Array.from({ length: question.labels }, (_, index) => `label-${index}`);
  for (let day = question.firstDay; day < question.firstDay + question.days; day++) {
    const lines = question.apps.flatMap((app) =>
      labels.flatMap((label) => linesOf(app, label, startOfDay(day))),
    );
    await store.append(PROJECT, [parseSegment([Buffer.from(lines.join("\n"))], MAX_LINE_BYTES, DAYS).block]);
    await store.rollUp(PROJECT, [day]);
  }
  await store.close();
  return "done";
});

/** Returns the events of one entry. */
const linesOf = (appId: string, analyticsLabel: string, time: number): string[] =>
  MESSAGES.flatMap((types, message) =>
    types.map((type, delay) =>
      JSON.stringify({
        appId,
        messageId: `${analyticsLabel}-${message}`,
        eventTime: new Date(time + delay).toISOString(),
        eventType: EventType[type],
        analyticsLabel,
        notification: message === 0,
        usageReportingOptIn: true,
      }),
    ),
  );
