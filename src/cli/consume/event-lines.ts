import type { InvalidLine } from "@waybill/client";
import { NEWLINE, newlinesIn } from "@waybill/client/support";
import { violationText } from "../import/row-report.js";
import type { Delivery } from "./broker.js";

export interface InvalidDelivery {
  readonly delivery: Delivery;
  readonly reason: string;
}

/** Maximum number of violations in the reason of one message. */
const MAX_VIOLATIONS = 10;

const LINE_END = Buffer.of(NEWLINE);

/** Lines of several messages as one stream, in which each message starts on a new line. */
export class EventLines {
  readonly #deliveries: readonly Delivery[];
  /** Number of each message's first line in the stream, from 1. */
  readonly #firstLines: readonly number[];

  constructor(deliveries: readonly Delivery[]) {
    let line = 1;
    this.#deliveries = deliveries;
    this.#firstLines = deliveries.map(({ data }) => {
      const first = line;
      line += newlinesIn(data) + 1;
      return first;
    });
  }

  *chunks(): Generator<Uint8Array> {
    for (const { data } of this.#deliveries) {
      yield data;
      yield LINE_END;
    }
  }

  /** Returns the messages with these invalid lines. */
  invalid(lines: readonly InvalidLine[]): readonly InvalidDelivery[] {
    const texts = new Map<number, string[]>();
    for (const { line, ...violation } of lines) {
      const index = this.#firstLines.findLastIndex((first) => first <= line);
      const { data } = this.#at(index);
      const lineInMessage = hasOneLine(data) ? undefined : line - (this.#firstLines[index] ?? line) + 1;
      const text = violationText({ ...violation, line: lineInMessage }, { unit: "line", map: undefined });
      texts.set(index, [...(texts.get(index) ?? []), text]);
    }
    return [...texts].map(([index, found]) => ({
      delivery: this.#at(index),
      reason: found.slice(0, MAX_VIOLATIONS).join("; "),
    }));
  }

  #at(index: number): Delivery {
    const delivery = this.#deliveries[index];
    if (delivery === undefined) throw new RangeError(`there is no message ${index}`);
    return delivery;
  }
}

/** Returns true if no line follows the first one. */
function hasOneLine(data: Uint8Array): boolean {
  const end = data.indexOf(NEWLINE);
  return end < 0 || end === data.length - 1;
}

const BLANK: ReadonlySet<number> = new Set(Buffer.from(" \t\r\n"));

/** Returns true if a message has no event. The server skips blank lines. */
export const isBlank = ({ data }: Delivery): boolean => data.every((byte) => BLANK.has(byte));
