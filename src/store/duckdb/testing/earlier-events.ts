import { MessageEvent_EventTypeSchema as EventTypeSchema } from "../../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import type { NaiveEvent } from "../../../messaging-data/rollup/testing/naive-rollup.js";
import { accepted } from "../../testing/test-events.js";

const DAYS = ["2026-03-07", "2026-03-08", "2026-03-09"];

/**
 * The events in the files of earlier versions, `version-N.duckdb.gz`: messages with any two types of event,
 * on three days. The last third of the messages came after the last rollup.
 */
export function earlierEvents(): { readonly rolledUp: NaiveEvent[]; readonly stale: NaiveEvent[] } {
  const types = EventTypeSchema.values.slice(1, 21).map(({ name }) => name);
  const events = DAYS.flatMap((day) =>
    types.flatMap((type, index) =>
      types.slice(index).flatMap((other, next) => {
        const of = {
          appId: `app${index % 3}`,
          messageId: `${type} ${other}`,
          analyticsLabel: ["", "a", "B"][next % 3] ?? "",
          notification: next % 2 === 0,
          eventTime: `${day}T20:00:00Z`,
        };
        return [
          accepted(of),
          ...[type, other].map((eventType, i) => ({
            ...accepted(of),
            eventType,
            eventTime: `${day}T20:00:0${i}Z`,
          })),
        ];
      }),
    ),
  );
  const split = Math.floor((events.length * 2) / 3);
  return { rolledUp: events.slice(0, split), stale: events.slice(split) };
}
