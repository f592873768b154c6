import { fromJsonString, toJson } from "@bufbuild/protobuf";
import { describe, expect, it, test } from "vitest";
import {
  type AndroidDeliveryData,
  AndroidDeliveryDataSchema,
} from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import {
  MessageEvent_EventType as EventType,
  MessageEventSchema,
} from "../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { type NaiveEvent, naiveJson, naiveRollup } from "../store/testing/naive-rollup.js";
import { COLLAPSE_KEYS } from "./message-source.js";
import {
  appIds,
  DEVICES_PER_APP,
  type Simulation,
  type SimulationOptions,
  simulateTraffic,
} from "./simulate-traffic.js";
import { MAX_WAITING } from "./waiting-messages.js";

const HOUR = 3_600_000;

const moderate: SimulationOptions = {
  apps: appIds(2),
  startDay: "2025-03-03",
  days: 14,
  messages: 30_000,
  labels: 12,
  seed: 1,
};

function run(options: Partial<SimulationOptions> = {}): { simulation: Simulation; lines: string[] } {
  const simulation = simulateTraffic({ ...moderate, ...options });
  const lines = [...simulation].join("").split("\n").slice(0, -1);
  return { simulation, lines };
}

function parse(lines: readonly string[]): NaiveEvent[] {
  return lines.map((line) => JSON.parse(line) as NaiveEvent);
}

describe("simulateTraffic", () => {
  it("returns the same bytes for the same options, and other bytes for another seed", () => {
    const small = { messages: 2_000, days: 2 };
    const text = run(small).lines.join("\n");
    expect(run(small).lines.join("\n")).toBe(text);
    expect(run({ ...small, seed: 2 }).lines.join("\n")).not.toBe(text);
    expect(run({ ...small, seed: 1 + 2 ** 32 }).lines.join("\n")).not.toBe(text);
  });

  describe("in a run of moderate size", () => {
    const { simulation, lines } = run();
    const events = parse(lines);

    it("reports every event type, with two to three events per message", () => {
      const types = new Set(events.map((event) => event.eventType));
      const all = Object.keys(EventType).filter(
        (name) => /^[A-Z]/.test(name) && !name.endsWith("UNSPECIFIED"),
      );
      expect([...types].sort()).toEqual(all.sort());
      expect(simulation.accepted).toBe(moderate.messages);
      expect(events.length / moderate.messages).toBeGreaterThan(2);
      expect(events.length / moderate.messages).toBeLessThan(3);
    });

    it("writes valid message events with ordered keys and without default values", () => {
      const keys =
        /^{"appId":"[^"]+","messageId":"[^"]+","eventTime":"[^"]+","eventType":"[A-Z_]+"(,"analyticsLabel":"[^"]+")?(,"notification":true)?(,"usageReportingOptIn":true)?}$/;
      for (const line of lines) {
        expect(line).toMatch(keys);
        const event = fromJsonString(MessageEventSchema, line);
        expect(event.analyticsLabel).toMatch(/^[a-zA-Z0-9-_.~%]{0,50}$/);
        const isBare = !event.analyticsLabel && !event.notification && !event.usageReportingOptIn;
        expect(isBare || event.eventType === EventType.ACCEPTED).toBe(true);
      }
    });

    it("contains typical flaws of an event feed: repeated lines, disorder, UTC offsets, devices without opt-in", () => {
      expect(new Set(lines).size).toBeLessThan(lines.length);
      const times = events.map((event) => Date.parse(event.eventTime));
      expect(times.some((time, index) => time < (times[index - 1] ?? 0))).toBe(true);
      const clocks = new Set(events.map((event) => event.eventTime.slice(23)));
      expect(clocks).toEqual(new Set(["Z", "-08:00", "+05:30"]));
      const accepted = events.filter((event) => event.eventType === "ACCEPTED");
      expect(accepted.some((event) => event.usageReportingOptIn === undefined)).toBe(true);
    });

    it("never reports two events of a message at the same instant", () => {
      const instants = [...new Set(lines)].map((line) => {
        const { messageId, eventTime } = JSON.parse(line) as NaiveEvent;
        return `${messageId} ${Date.parse(eventTime)}`;
      });
      expect(new Set(instants).size).toBe(instants.length);
    });

    it("stays within its days", () => {
      const times = events.map((event) => Date.parse(event.eventTime));
      expect(times.every((time) => time >= Date.parse("2025-03-03T08:00Z"))).toBe(true);
      expect(times.every((time) => time < Date.parse("2025-03-17T07:00Z"))).toBe(true);
    });

    it("reports outcomes on days after the acceptance", () => {
      const acceptedAt = new Map(
        events.flatMap(({ messageId, eventTime, eventType }) =>
          eventType === "ACCEPTED" ? [[messageId, Date.parse(eventTime)]] : [],
        ),
      );
      const late = events.filter(
        ({ messageId, eventTime, eventType }) =>
          eventType === "DELIVERED" && Date.parse(eventTime) - (acceptedAt.get(messageId) ?? 0) > 25 * HOUR,
      );
      expect(late.length).toBeGreaterThan(0);
    });

    it("returns expected entries that satisfy the invariants of delivery data", () => {
      for (const entry of simulation.truth()) expectInvariants(entry);
    });

    it("has labels with a long tail, and messages without a label", () => {
      const used = new Map<string, number>();
      for (const { analyticsLabel, data } of simulation.truth()) {
        used.set(analyticsLabel, (used.get(analyticsLabel) ?? 0) + Number(data?.countMessagesAccepted));
      }
      expect(used.size).toBe(moderate.labels + 1);
      const [most = 0, ...others] = [...used.values()].sort((a, b) => b - a);
      expect(most).toBeGreaterThan((others.at(-1) ?? 0) * 8);
    });
  });

  test.each<Partial<SimulationOptions>>([
    { seed: 1 },
    { seed: 2, startDay: "2025-03-08", days: 3 },
    { seed: 3, startDay: "2025-11-01", days: 3, apps: appIds(1) },
    { seed: 4, startDay: "2024-12-30", days: 4, labels: 0 },
    { seed: 5, startDay: "2025-03-09", days: 1, apps: ["b", "a", "\u{1f4f1}", "\uffee"] },
    { seed: 6, messages: 1 },
    { seed: 7, faults: [{ label: "promo", from: "2025-03-04", delivered: 0.3 }] },
  ])("returns the same expected entries as a naive rollup: %o", (options) => {
    const { simulation, lines } = run({ messages: 15_000, days: 5, ...options });
    const truth = [...simulation.truth()].map((entry) => toJson(AndroidDeliveryDataSchema, entry));
    expect(truth).toEqual(naiveRollup(parse(lines)).map(naiveJson));
  });

  describe("with simulated outages", () => {
    const faults = [
      { label: "promo", from: "2025-03-10", to: "2025-03-11", delivered: 0 },
      { from: "2025-03-14", delivered: 0.5 },
    ];
    const shares = (options: Partial<SimulationOptions>): Map<string, number> => {
      const sums = new Map<string, [number, number]>();
      for (const { analyticsLabel, date, data } of run(options).simulation.truth()) {
        const day = date?.day ?? 0;
        const period =
          day < 10 ? "before" : day < 12 ? "first outage" : day < 14 ? "between" : "second outage";
        const accepted = Number(data?.countMessagesAccepted);
        const delivered = ((data?.messageOutcomePercents?.delivered ?? 0) * accepted) / 100;
        for (const key of [`all, ${period}`, `${analyticsLabel}, ${period}`]) {
          const [ofAccepted, ofDelivered] = sums.get(key) ?? [0, 0];
          sums.set(key, [ofAccepted + accepted, ofDelivered + delivered]);
        }
      }
      return new Map([...sums].map(([key, [accepted, delivered]]) => [key, delivered / accepted]));
    };
    const usual = shares({});
    const faulty = shares({ faults });

    test.each([
      ["promo, before", 1],
      ["promo, first outage", 0],
      ["chat, first outage", 1],
      ["promo, between", 1],
      ["promo, second outage", 0.5],
      [", second outage", 0.5],
      ["all, second outage", 0.5],
    ])("delivers to %s %d of the usual share", (key, part) => {
      expect(Math.abs((faulty.get(key) ?? -1) - part * (usual.get(key) ?? 0))).toBeLessThan(0.06);
    });

    it("keeps the events before the first outage as they were", () => {
      const until = (lines: readonly string[]) => lines.slice(0, 10_000);
      expect(until(run({ faults }).lines)).toEqual(until(run().lines));
    });

    it("rejects a label that it does not simulate", () => {
      const unknown = { label: "sale", from: "2025-03-10", delivered: 0 };
      expect(() => simulateTraffic({ ...moderate, faults: [unknown] })).toThrow(
        'label: unknown label "sale"; known labels: order_status, promo,',
      );
    });
  });

  it("starts immediately and stays within its memory limit for any number of messages", () => {
    const simulation = simulateTraffic({ ...moderate, apps: appIds(1), messages: 1e12 });
    const limit = DEVICES_PER_APP * (MAX_WAITING + COLLAPSE_KEYS);
    for (const chunk of simulation) {
      expect(chunk.endsWith("\n")).toBe(true);
      expect(chunk.length).toBeLessThan(200_000);
      expect(simulation.waiting).toBeLessThanOrEqual(limit);
      if (simulation.accepted > 5 * limit) break;
    }
    expect(() => simulation.truth()).toThrow("after all events were read");
  });
});

function expectInvariants(entry: AndroidDeliveryData): void {
  const { data } = toJson(AndroidDeliveryDataSchema, entry) as {
    data: Record<string, Record<string, number>>;
  };
  const { delivered = 0, ...otherOutcomes } = data.messageOutcomePercents ?? {};
  const { deliveredNoDelay = 0, ...delays } = data.deliveryPerformancePercents ?? {};
  const sum = (group: Record<string, number>) =>
    Object.values(group).reduce((total, value) => total + value, 0);
  const rounding = 1e-9;
  expect(entry.data?.countMessagesAccepted).toBeGreaterThan(0n);
  expect(delivered + sum(otherOutcomes)).toBeLessThanOrEqual(100 + rounding);
  expect(sum(data.proxyNotificationInsightPercents ?? {})).toBeLessThanOrEqual(100 + rounding);
  expect(sum(data.messageInsightPercents ?? {})).toBeLessThanOrEqual(100);
  for (const delay of [0, ...Object.values(delays)]) {
    expect(delay).toBeLessThanOrEqual(delivered - deliveredNoDelay + rounding);
  }
}
