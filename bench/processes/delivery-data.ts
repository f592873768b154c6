import { MessageEvent_EventType as EventType } from "../../dist/gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { EventBlockBuilder } from "../../dist/messaging-data/events/event-block-builder.js";
import { dayOfCivil, startOfDay } from "../../dist/model/day.js";
import { DuckDbStore } from "../../dist/store/duckdb/duckdb-store.js";
import { mergeEvents } from "../../dist/store/state-merger.js";
import { answerQuestions } from "../support/process.js";
import { PROJECT } from "../support/waybill-server.js";

/** The entries to make: one for each app, label and day. */
export interface EntriesQuestion {
  readonly dataDirectory: string;
  readonly apps: readonly string[];
  readonly labels: number;
  readonly days: number;
}

const FIRST_DAY = dayOfCivil(2025, 3, 3);

/** Event types for the messages of each entry, which give every group of percentages fractional values. */
const MESSAGES = [
  [EventType.ACCEPTED, EventType.DELIVERED, EventType.PROXY_PROXIED],
  [EventType.ACCEPTED, EventType.DELAYED_DEVICE_OFFLINE, EventType.DELIVERED],
  [EventType.ACCEPTED, EventType.DROPPED_TTL_EXPIRED],
];

/** Fills the empty store of a server that has not started yet, through events and rollups. */
answerQuestions(async (question: EntriesQuestion): Promise<"done"> => {
  const store = await DuckDbStore.open({ directory: question.dataDirectory, memoryLimit: "320MB" });
  const labels = Array.from({ length: question.labels }, (_, index) => `label-${index}`);
  for (let day = FIRST_DAY; day < FIRST_DAY + question.days; day++) {
    const builder = new EventBlockBuilder();
    for (const app of question.apps)
      for (const label of labels) addEntry(builder, app, label, startOfDay(day));
    await store.append(PROJECT, [mergeEvents(builder.build())]);
    await store.rollUp(PROJECT, [day]);
  }
  await store.close();
  return "done";
});

function addEntry(builder: EventBlockBuilder, app: string, label: string, time: number): void {
  for (const [message, types] of MESSAGES.entries()) {
    const id = Buffer.from(`${label}-${message}`);
    for (const [delay, type] of types.entries()) {
      const accepted = type === EventType.ACCEPTED;
      builder.add(
        builder.appIndex(app),
        id,
        0,
        id.length,
        time + delay,
        type,
        builder.labelIndex(accepted ? label : ""),
        accepted && message === 0,
      );
    }
  }
}
