import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { Target_State as State, TargetSchema } from "../../gen/waybill/messagingdata/v1beta1/target_pb.js";
import { startOfDay } from "../../model/day.js";
import { isDue, messageIdOf } from "./notified-incident.js";
import { type NotifiedTargets, reconcileTargets } from "./notified-target.js";

/** Day on which the target was created. */
const DAY = 20_000;
const { MET, MISSED, TOO_FEW_MESSAGES } = State;

/** Evaluates a target repeatedly, and delivers the messages after each evaluation. */
class Telling {
  readonly delivered: string[] = [];
  known: NotifiedTargets | undefined;
  #keys = 0;

  /** @param day days after the creation. */
  evaluate(day: number, state: State, { tells = true } = {}): this {
    const target = create(TargetSchema, {
      name: "projects/1/targets/t",
      state,
      createTime: timestampFromMs(startOfDay(DAY) + 3_600_000),
    });
    const newKey = () => String.fromCharCode("a".charCodeAt(0) + this.#keys++);
    const evaluation = { evaluated: [{ target, day: DAY + day }], now: 1_000 + day, newKey };
    this.known = reconcileTargets(this.known, evaluation);
    expect(reconcileTargets(this.known, evaluation)).toEqual(this.known);
    const targets = (this.known?.targets ?? []).map((row) => {
      if (!tells || !isDue(row)) return row;
      this.delivered.push(`${day}: ${messageIdOf(row)} ${row.state}`);
      return { ...row, delivered: row.state };
    });
    if (this.known !== undefined) this.known = { targets };
    return this;
  }

  /** Evaluates the target on consecutive days from its creation. */
  days(...states: readonly State[]): this {
    for (const [day, state] of states.entries()) this.evaluate(day, state);
    return this;
  }
}

describe("reconcileTargets", () => {
  it("sends that a target is missed, and that it is met again, once each", () => {
    const { delivered } = new Telling().days(MISSED, MISSED, MET, MET, MISSED);
    expect(delivered).toEqual(["0: a-1 missed", "2: a-2 met", "4: b-1 missed"]);
  });

  it("stores nothing for a target that has never been missed", () => {
    expect(new Telling().days(MET, TOO_FEW_MESSAGES, MET).known).toBeUndefined();
  });

  it("keeps the state on days with too few messages", () => {
    const { delivered } = new Telling().days(MISSED, TOO_FEW_MESSAGES, MISSED, TOO_FEW_MESSAGES, MET);
    expect(delivered).toEqual(["0: a-1 missed", "4: a-2 met"]);
  });

  it("sends nothing about a day before the target's creation", () => {
    expect(new Telling().evaluate(-1, MISSED).delivered).toEqual([]);
    expect(new Telling().evaluate(-1, MISSED).evaluate(0, MISSED).delivered).toEqual(["0: a-1 missed"]);
  });

  it("sends at most one message about a day, and the last state on the next day", () => {
    const telling = new Telling().evaluate(0, MISSED).evaluate(0, MET).evaluate(0, MISSED).evaluate(0, MET);
    expect(telling.delivered).toEqual(["0: a-1 missed"]);
    expect(telling.evaluate(1, MET).delivered).toEqual(["0: a-1 missed", "1: a-2 met"]);
    expect(telling.evaluate(1, MISSED).evaluate(2, MISSED).delivered.at(-1)).toBe("2: a-3 missed");
  });

  it("ignores a day before the known one", () => {
    const { delivered } = new Telling().evaluate(1, MISSED).evaluate(0, MET).evaluate(1, MISSED);
    expect(delivered).toEqual(["1: a-1 missed"]);
  });

  it("does not send that a target is met if the receiver does not know that it was missed", () => {
    const telling = new Telling().evaluate(0, MISSED, { tells: false }).evaluate(1, MET);
    expect(telling.delivered).toEqual([]);
    expect(telling.evaluate(2, MISSED).evaluate(3, MET).delivered).toEqual(["2: a-3 missed", "3: a-4 met"]);
  });

  it("sends that a target is met if the receiver can know that it was missed", () => {
    const telling = new Telling().evaluate(0, MISSED, { tells: false });
    telling.known = {
      targets: (telling.known?.targets ?? []).map((row) => ({ ...row, isUncertain: true })),
    };
    expect(telling.evaluate(1, MET).delivered).toEqual(["1: a-2 met"]);
  });

  it("drops deleted targets without a message", () => {
    const { known } = new Telling().evaluate(0, MISSED);
    const after = reconcileTargets(known, { evaluated: [], now: 2_000, newKey: () => "z" });
    expect(after).toEqual({ targets: [] });
  });
});
