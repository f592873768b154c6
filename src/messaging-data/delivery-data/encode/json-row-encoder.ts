import type { DescField } from "@bufbuild/protobuf";
import { EncodedJson } from "../../../api/encoded-response.js";
import { DateSchema } from "../../../gen/google/type/date_pb.js";
import { civilDate, type Day } from "../../../model/day.js";
import { valueAt } from "../entry-columns.js";
import type { CountField, GroupField } from "./figure-fields.js";
import type { RowEncoder, RowForm, Rows } from "./row-form.js";

/** Encodes one figure of a row. Returns an empty string if the field is omitted. */
type FieldWriter = (counts: readonly Float64Array[], row: number) => string;

const DATE = DateSchema.field;

/** Precomputed JSON fragments for a {@link RowForm}. */
export interface JsonLayout {
  readonly form: RowForm;
  readonly figures: readonly FieldWriter[];
}

/** Precomputes the JSON fragments that all encoders of a form share. */
export const jsonLayout = (form: RowForm): JsonLayout => ({
  form,
  figures: form.figureFields.map((field) =>
    field.kind === "count" ? countWriter(field) : groupWriter(field),
  ),
});

/** Encodes a response as ProtoJSON. The result is the same as from the generic encoder. */
export class JsonRowEncoder implements RowEncoder {
  readonly #layout: JsonLayout;
  /** Encoded rows in pieces. Commas between the pieces are included. */
  readonly #parts: Buffer[] = [];

  constructor(layout: JsonLayout) {
    this.#layout = layout;
  }

  add(rows: Rows, from: number, to: number): void {
    if (from === to) return;
    const separator = this.#parts.length > 0 ? "," : "";
    const encoded = rows.originals?.slice(from, to).join(",") ?? this.#encode(rows, from, to);
    // Converting each batch to bytes now spreads the work. Converting all of it at the end would block the event loop.
    this.#parts.push(Buffer.from(separator + encoded));
  }

  finish(nextPageToken = ""): EncodedJson {
    const { rows, nextPageToken: tokenField } = this.#layout.form;
    const hasRows = this.#parts.length > 0;
    const hasToken = nextPageToken !== "" && tokenField !== undefined;
    const token = hasToken ? keyOf(tokenField) + JSON.stringify(nextPageToken) : "";
    const start = hasRows ? `{${keyOf(rows)}[` : "{";
    const end = `${hasRows ? "]" : ""}${hasRows && hasToken ? "," : ""}${token}}`;
    return new EncodedJson(Buffer.concat([Buffer.from(start), ...this.#parts, Buffer.from(end)]));
  }

  /** Encodes rows, separated by commas. Omits fields that have their default value. */
  #encode({ days, appIds, labels, counts, withoutCounts }: Rows, from: number, to: number): string {
    const { appId: appIdField, date: dateField, label: labelField, figures } = this.#layout.form;
    const writers = this.#layout.figures;
    const appIdKey = appIdField === undefined ? "" : keyOf(appIdField);
    const dateKey = keyOf(dateField);
    const labelKey = keyOf(labelField);
    const figuresKey = keyOf(figures);
    let json = "";
    let lastDay: Day | undefined;
    let lastAppId: string | undefined;
    let date = "";
    let head = "{";
    for (let row = from; row < to; row++) {
      const day = days?.[row];
      const appId = appIds?.[row];
      if (day !== lastDay || appId !== lastAppId) {
        if (day !== lastDay) date = day === undefined ? "" : `${dateKey}${encodeDate(day)},`;
        head = `{${appId === undefined ? "" : `${appIdKey}${JSON.stringify(appId)},`}${date}`;
        lastDay = day;
        lastAppId = appId;
      }
      const label = labels?.[row] ?? "";
      json += `${row > from ? "," : ""}${head}${label === "" ? "" : `${labelKey}${JSON.stringify(label)},`}${figuresKey}{`;
      let separator = "";
      for (const write of writers) {
        const text = write(counts, row);
        if (text === "") continue;
        json += separator + text;
        separator = ",";
      }
      json += withoutCounts === undefined ? "}}" : `}${this.#ofOriginals(valueAt(withoutCounts, row))}}`;
    }
    return json;
  }

  /** Encodes the additional fields of a sum that includes mirrored entries. */
  #ofOriginals(withoutCounts: number): string {
    const fields = this.#layout.form.ofOriginals;
    if (fields === undefined) return "";
    const count = withoutCounts === 0 ? "" : `,${keyOf(fields.withoutCounts)}"${withoutCounts}"`;
    return `,${keyOf(fields.fromPercentages)}true${count}`;
  }
}

const keyOf = ({ jsonName }: DescField): string => `"${jsonName}":`;

function encodeDate(day: Day): string {
  const { year, month, day: dayOfMonth } = civilDate(day);
  return `{${keyOf(DATE.year)}${year},${keyOf(DATE.month)}${month},${keyOf(DATE.day)}${dayOfMonth}}`;
}

function countWriter({ field, column }: CountField): FieldWriter {
  const prefix = `${keyOf(field)}"`;
  return (counts, row) => {
    const count = valueAt(counts[column], row);
    return count === 0 ? "" : `${prefix}${count}"`;
  };
}

function groupWriter({ field, denominator: denominatorColumn, percents }: GroupField): FieldWriter {
  const start = `${keyOf(field)}{`;
  const named = percents.map(({ field, column }) => ({ prefix: keyOf(field), column }));
  return (counts, row) => {
    const denominator = valueAt(counts[denominatorColumn], row);
    if (denominator === 0) return "";
    let json = start;
    let separator = "";
    for (const { prefix, column } of named) {
      const count = valueAt(counts[column], row);
      if (count === 0) continue;
      json += separator + prefix + (100 * count) / denominator;
      separator = ",";
    }
    return `${json}}`;
  };
}
