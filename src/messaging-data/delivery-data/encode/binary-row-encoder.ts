import { type DescMessage, fromJsonString, toBinary } from "@bufbuild/protobuf";
import { EncodedBinary } from "../../../api/encoded-response.js";
import { DateSchema } from "../../../gen/google/type/date_pb.js";
import { civilDate, type Day } from "../../../model/day.js";
import { valueAt } from "../entry-columns.js";
import { type BinaryFigure, BinaryFigures, binaryFigures } from "./binary-figures.js";
import type { RowEncoder, RowForm, Rows } from "./row-form.js";
import { tagOf, varintSize, WireType, WireWriter } from "./wire-writer.js";

const DATE = DateSchema.field;
const FIRST_CAPACITY = 64 * 1024;
const NOTHING = new Uint8Array();

/** Field tags for a {@link RowForm}. */
export interface BinaryLayout {
  readonly row: DescMessage;
  readonly rows: number;
  readonly nextPageToken: number | undefined;
  readonly appId: number | undefined;
  readonly date: number;
  readonly label: number;
  readonly figures: number;
  readonly figureFields: readonly BinaryFigure[];
  readonly ofOriginals: { readonly fromPercentages: number; readonly withoutCounts: number } | undefined;
}

/**
 * Prepares the tags that all encoders of a form share.
 *
 * @throws Error if the row fields are not sorted by field number.
 */
export function binaryLayout(form: RowForm): BinaryLayout {
  const { row, rows, nextPageToken, appId, date, label, figures, figureFields, ofOriginals } = form;
  const { fromPercentages, withoutCounts } = ofOriginals ?? {};
  const fields = [appId, date, label, figures, fromPercentages, withoutCounts];
  const numbers = fields.flatMap((field) => field?.number ?? []);
  if (numbers.some((number, i) => number <= (numbers[i - 1] ?? -1))) {
    throw new Error(
      `the fields of ${rows} are not in ascending order of their numbers, as the encoder requires`,
    );
  }
  return {
    row,
    rows: bytesTag(rows),
    nextPageToken: nextPageToken && bytesTag(nextPageToken),
    appId: appId && bytesTag(appId),
    date: bytesTag(date),
    label: bytesTag(label),
    figures: bytesTag(figures),
    figureFields: binaryFigures(figureFields),
    ofOriginals: ofOriginals && {
      fromPercentages: varintTag(ofOriginals.fromPercentages),
      withoutCounts: varintTag(ofOriginals.withoutCounts),
    },
  };
}

const varintTag = ({ number }: { readonly number: number }): number => tagOf(number, WireType.VARINT);
const bytesTag = ({ number }: { readonly number: number }): number => tagOf(number, WireType.BYTES);

/** Encodes a response as binary Protocol Buffers. The bytes are the same as from the generic encoder. */
export class BinaryRowEncoder implements RowEncoder {
  readonly #layout: BinaryLayout;
  readonly #figures: BinaryFigures;
  readonly #writer = new WireWriter(FIRST_CAPACITY);

  constructor(layout: BinaryLayout) {
    this.#layout = layout;
    this.#figures = new BinaryFigures(layout.figureFields);
  }

  add(columns: Rows, from: number, to: number): void {
    if (columns.originals === undefined) this.#encode(columns, from, to);
    else this.#encodeOriginals(columns.originals.slice(from, to));
  }

  #encode({ days, appIds, labels, counts, withoutCounts }: Rows, from: number, to: number): void {
    const { rows, label: labelTag, figures: figuresTag } = this.#layout;
    const writer = this.#writer;
    let lastDay: Day | undefined;
    let lastAppId: string | undefined;
    let head: Uint8Array = NOTHING;
    for (let row = from; row < to; row++) {
      const day = days?.[row];
      const appId = appIds?.[row];
      if (day !== lastDay || appId !== lastAppId) {
        head = this.#encodeHead(appId, day);
        lastDay = day;
        lastAppId = appId;
      }
      const label = labels?.[row] ?? "";
      const labelBytes = label === "" ? 0 : Buffer.byteLength(label);
      const figuresSize = this.#figures.measure(counts, row);
      const tail = withoutCounts === undefined ? NOTHING : this.#encodeTail(valueAt(withoutCounts, row));
      const rowSize =
        head.length +
        (labelBytes === 0 ? 0 : varintSize(labelTag) + varintSize(labelBytes) + labelBytes) +
        (varintSize(figuresTag) + varintSize(figuresSize) + figuresSize) +
        tail.length;
      writer.reserve(varintSize(rows) + varintSize(rowSize) + rowSize);
      writer.varint(rows);
      writer.varint(rowSize);
      writer.bytes(head);
      if (labelBytes > 0) {
        writer.varint(labelTag);
        writer.varint(labelBytes);
        writer.text(label, labelBytes);
      }
      writer.varint(figuresTag);
      writer.varint(figuresSize);
      this.#figures.write(writer, counts, row);
      writer.bytes(tail);
    }
  }

  #encodeOriginals(originals: readonly string[]): void {
    const { row, rows } = this.#layout;
    for (const original of originals) {
      writeBytes(this.#writer, rows, toBinary(row, fromJsonString(row, original)));
    }
  }

  finish(nextPageToken = ""): EncodedBinary {
    const { nextPageToken: tag } = this.#layout;
    if (nextPageToken !== "" && tag !== undefined) {
      writeBytes(this.#writer, tag, Buffer.from(nextPageToken));
    }
    return new EncodedBinary(this.#writer.finish());
  }

  /** Encodes a row's fields that precede its label. */
  #encodeHead(appId: string | undefined, day: Day | undefined): Uint8Array {
    const { appId: appIdTag, date: dateTag } = this.#layout;
    const head = new WireWriter(64);
    if (appIdTag !== undefined && appId !== undefined) writeBytes(head, appIdTag, Buffer.from(appId));
    if (day !== undefined) writeBytes(head, dateTag, encodeDate(day));
    return head.finish();
  }

  /** Encodes the fields that follow the figures if a sum includes mirrored entries. */
  #encodeTail(withoutCounts: number): Uint8Array {
    const tags = this.#layout.ofOriginals;
    if (tags === undefined) return NOTHING;
    const tail = new WireWriter(32);
    tail.varint(tags.fromPercentages);
    tail.varint(1);
    if (withoutCounts > 0) {
      tail.varint(tags.withoutCounts);
      tail.varint(withoutCounts);
    }
    return tail.finish();
  }
}

function encodeDate(day: Day): Uint8Array {
  const { year, month, day: dayOfMonth } = civilDate(day);
  const date = new WireWriter(32);
  for (const [field, value] of [
    [DATE.year, year],
    [DATE.month, month],
    [DATE.day, dayOfMonth],
  ] as const) {
    date.varint(tagOf(field.number, WireType.VARINT));
    date.varint(value);
  }
  return date.finish();
}

function writeBytes(writer: WireWriter, tag: number, bytes: Uint8Array): void {
  writer.reserve(varintSize(tag) + varintSize(bytes.length) + bytes.length);
  writer.varint(tag);
  writer.varint(bytes.length);
  writer.bytes(bytes);
}
