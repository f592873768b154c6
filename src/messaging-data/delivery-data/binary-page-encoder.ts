import { DateSchema } from "../../gen/google/type/date_pb.js";
import { AndroidDeliveryDataSchema } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { ListAndroidDeliveryDataResponseSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { civilDate, type Day } from "../../store/day.js";
import type { EntryColumns } from "../../store/delivery-data-store.js";
import { EncodedBinary } from "../../transcoding/encoded-binary.js";
import { DATA_FIELDS } from "./data-fields.js";
import type { PageEncoder } from "./page-encoder.js";
import { tagOf, varintSize, WireType, WireWriter } from "./wire-writer.js";

const PAGE = ListAndroidDeliveryDataResponseSchema.field;
const ENTRY = AndroidDeliveryDataSchema.field;
const DATE = DateSchema.field;

/** A tag and a double. */
const PERCENT_SIZE = 9;
const FIRST_CAPACITY = 64 * 1024;

const ENTRY_TAG = tagOf(PAGE.androidDeliveryData.number, WireType.BYTES);
const TOKEN_TAG = tagOf(PAGE.nextPageToken.number, WireType.BYTES);
const APP_ID_TAG = tagOf(ENTRY.appId.number, WireType.BYTES);
const DATE_TAG = tagOf(ENTRY.date.number, WireType.BYTES);
const LABEL_TAG = tagOf(ENTRY.analyticsLabel.number, WireType.BYTES);
const DATA_TAG = tagOf(ENTRY.data.number, WireType.BYTES);

/** The fields of `Data` in the order of the wire, with their tags. */
const FIELDS = [...DATA_FIELDS]
  .sort((a, b) => a.field.number - b.field.number)
  .map((field) =>
    field.kind === "count"
      ? { tag: tagOf(field.field.number, WireType.VARINT), column: field.column, percents: undefined }
      : {
          tag: tagOf(field.field.number, WireType.BYTES),
          column: field.denominator,
          percents: field.percents.map(({ field: { number }, column }) => ({
            tag: tagOf(number, WireType.DOUBLE),
            column,
          })),
        },
  );

/** Encodes a page in the binary form of Protocol Buffers: what the generic encoder would make of the messages, to the byte. */
export class BinaryPageEncoder implements PageEncoder {
  readonly #writer = new WireWriter(FIRST_CAPACITY);
  /** Bytes of each of {@link FIELDS} in the row at hand, without tag and length; -1 if the field is left out. */
  readonly #sizes = new Int32Array(FIELDS.length);

  add({ days, appIds, labels, counts }: EntryColumns, count: number): void {
    const writer = this.#writer;
    let lastDay: Day | undefined;
    let lastAppId: string | undefined;
    let head: Uint8Array = new Uint8Array();
    for (let row = 0; row < count; row++) {
      const day = days[row] ?? 0;
      const appId = appIds[row] ?? "";
      if (day !== lastDay || appId !== lastAppId) {
        head = encodeHead(appId, day);
        lastDay = day;
        lastAppId = appId;
      }
      const label = labels[row] ?? "";
      const labelBytes = label === "" ? 0 : Buffer.byteLength(label);
      const dataSize = this.#measure(counts, row);
      const entrySize =
        head.length +
        (labelBytes === 0 ? 0 : 1 + varintSize(labelBytes) + labelBytes) +
        (1 + varintSize(dataSize) + dataSize);
      writer.reserve(entrySize + 6);
      writer.byte(ENTRY_TAG);
      writer.varint(entrySize);
      writer.bytes(head);
      if (labelBytes > 0) {
        writer.byte(LABEL_TAG);
        writer.varint(labelBytes);
        writer.text(label, labelBytes);
      }
      writer.byte(DATA_TAG);
      writer.varint(dataSize);
      this.#writeData(counts, row);
    }
  }

  finish(nextPageToken: string): EncodedBinary {
    if (nextPageToken !== "") {
      const bytes = Buffer.from(nextPageToken);
      this.#writer.reserve(6 + bytes.length);
      this.#writer.byte(TOKEN_TAG);
      this.#writer.varint(bytes.length);
      this.#writer.bytes(bytes);
    }
    return new EncodedBinary(this.#writer.finish());
  }

  /** Fills {@link #sizes}; returns the size of the whole `Data`. */
  #measure(counts: readonly Float64Array[], row: number): number {
    let size = 0;
    for (let i = 0; i < FIELDS.length; i++) {
      const field = FIELDS[i];
      if (field === undefined) continue;
      const value = counts[field.column]?.[row] ?? 0;
      let own = -1;
      if (value !== 0) {
        if (field.percents === undefined) {
          own = varintSize(value);
          size += 1 + own;
        } else {
          own = 0;
          for (const { column } of field.percents) if (counts[column]?.[row] !== 0) own += PERCENT_SIZE;
          size += 1 + varintSize(own) + own;
        }
      }
      this.#sizes[i] = own;
    }
    return size;
  }

  #writeData(counts: readonly Float64Array[], row: number): void {
    const writer = this.#writer;
    for (let i = 0; i < FIELDS.length; i++) {
      const field = FIELDS[i];
      const size = this.#sizes[i] ?? -1;
      if (field === undefined || size < 0) continue;
      const value = counts[field.column]?.[row] ?? 0;
      writer.byte(field.tag);
      if (field.percents === undefined) {
        writer.varint(value);
        continue;
      }
      writer.varint(size);
      for (const { tag, column } of field.percents) {
        const count = counts[column]?.[row] ?? 0;
        if (count === 0) continue;
        writer.byte(tag);
        writer.double((100 * count) / value);
      }
    }
  }
}

/** The fields of an entry that stand before its label. */
function encodeHead(appId: string, day: Day): Uint8Array {
  const { year, month, day: dayOfMonth } = civilDate(day);
  const text = Buffer.from(appId);
  const date = new WireWriter(32);
  for (const [field, value] of [
    [DATE.year, year],
    [DATE.month, month],
    [DATE.day, dayOfMonth],
  ] as const) {
    date.byte(tagOf(field.number, WireType.VARINT));
    date.varint(value);
  }
  const dateBytes = date.finish();
  const head = new WireWriter(text.length + dateBytes.length + 12);
  head.byte(APP_ID_TAG);
  head.varint(text.length);
  head.bytes(text);
  head.byte(DATE_TAG);
  head.varint(dateBytes.length);
  head.bytes(dateBytes);
  return head.finish();
}
