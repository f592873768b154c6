import type { DescMessage } from "@bufbuild/protobuf";
import { describe, expect, it, test } from "vitest";
import {
  DeliveryCountsSchema,
  DeliveryPerformancePercentsSchema,
  MessageInsightPercentsSchema,
  MessageOutcomePercentsSchema,
  ProxyNotificationInsightPercentsSchema,
} from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { EVENT_TYPES, EventKind, eventTypesOf } from "./event-types.js";

const namesOf = ({ fields }: DescMessage): string[] => fields.map(({ name }) => name);

describe("event types in the contract", () => {
  test.each(EVENT_TYPES)("include $name, with a kind", ({ kind }) => {
    expect(kind).not.toBe(EventKind.KIND_UNSPECIFIED);
  });

  test.each(EVENT_TYPES)("include $name, with a number that fits into a rank and into a set", ({ type }) => {
    expect(type).toBeGreaterThan(0);
    expect(type).toBeLessThan(31);
  });

  it("are sorted by number in the contract", () => {
    const numbers = EVENT_TYPES.map(({ type }) => type);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });

  test.each<[kind: string, kind: EventKind, group: DescMessage, computed: readonly string[]]>([
    ["OUTCOME", EventKind.OUTCOME, MessageOutcomePercentsSchema, ["pending"]],
    ["DELAY", EventKind.DELAY, DeliveryPerformancePercentsSchema, ["delivered_no_delay"]],
    ["PRIORITY", EventKind.PRIORITY, MessageInsightPercentsSchema, []],
    ["PROXY_RESULT", EventKind.PROXY_RESULT, ProxyNotificationInsightPercentsSchema, []],
  ])("of kind %s each count toward a different figure in their group", (_, kind, group, computed) => {
    const counts = eventTypesOf(kind).map(({ count }) => count);
    expect([...counts, ...computed].sort()).toEqual(namesOf(group).sort());
    expect(namesOf(DeliveryCountsSchema)).toEqual(expect.arrayContaining(counts));
  });

  test.each([
    ["ACCEPTANCE", EventKind.ACCEPTANCE, ["ACCEPTED"]],
    ["STORAGE", EventKind.STORAGE, ["STORED"]],
  ])("of kind %s count toward no figure", (_, kind, names) => {
    expect(eventTypesOf(kind)).toMatchObject(names.map((name) => ({ name, count: "" })));
  });

  it("show that a device is disconnected only if they are STORED or DELAYED_DEVICE_OFFLINE", () => {
    const names = EVENT_TYPES.filter(({ disconnected }) => disconnected).map(({ name }) => name);
    expect(names).toEqual(["STORED", "DELAYED_DEVICE_OFFLINE"]);
  });
});
