import { MessageEvent_EventType as EventType } from "../../../dist/gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import type { EventBlock } from "../../../dist/store/event-block.js";
import { OUTCOMES, PROXY_RESULTS } from "../../../dist/store/event-type-words.js";
import type { StateColumns } from "../../../dist/store/state-columns.js";

/** Returns a state for each event, not merged with those of other events of the message. */
export function statesOf(block: EventBlock): StateColumns {
  const events = [...block.type.keys()];
  const rankIn = (types: number) => (event: number) => {
    const type = block.type[event] ?? 0;
    return (types & (1 << type)) === 0 ? null : 32 * (block.millisecond[event] ?? 0) + type;
  };
  return {
    length: block.length,
    days: [...block.day],
    appIds: events.map((event) => block.apps[block.app[event] ?? 0] ?? ""),
    keyHigh: [...block.keyHigh],
    keyLow: [...block.keyLow],
    acceptedAt: events.map((event) =>
      block.type[event] === EventType.ACCEPTED ? (block.millisecond[event] ?? 0) : null,
    ),
    labels: events.map((event) => block.labels[block.label[event] ?? 0] ?? ""),
    notifications: events.map((event) => block.notification[event] === 1),
    outcomes: events.map(rankIn(OUTCOMES)),
    proxies: events.map(rankIn(PROXY_RESULTS)),
    seen: events.map((event) => 1 << (block.type[event] ?? 0)),
  };
}
