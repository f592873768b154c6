import type { InvalidLine, LineViolation } from "@waybill/client";
import type { EventMap } from "./event-map.js";
import type { Row, RowUnit, SourceError } from "./row.js";

/** Maximum number of reasons that are counted separately, because a column may have any number of values. */
const MAX_REASONS = 30;
/** Maximum number of invalid rows to keep. */
const MAX_INVALID_ROWS = 100;

/** Counts the dropped and invalid rows in a file, and summarizes them for the user. */
export class RowReport {
  #rows = 0;
  readonly #dropped = new Map<string, number>();
  readonly #unseen: Set<string>;
  readonly #skipInvalid: boolean;
  readonly #invalidRows: InvalidLine[] = [];
  #invalidCount = 0;

  /**
   * @param columns names of the columns to read.
   * @param skipInvalid true to count invalid rows instead of throwing.
   */
  constructor(columns: readonly string[], skipInvalid = false) {
    this.#unseen = new Set(columns);
    this.#skipInvalid = skipInvalid;
  }

  get invalidCount(): number {
    return this.#invalidCount;
  }

  /** The first invalid rows. */
  get invalidRows(): readonly InvalidLine[] {
    return this.#invalidRows;
  }

  /** Counts a row that was read. */
  read({ cells }: Row): void {
    this.#rows++;
    for (const column of this.#unseen) if (Object.hasOwn(cells, column)) this.#unseen.delete(column);
  }

  dropped(reason: string): void {
    const known = this.#dropped.has(reason) || this.#dropped.size < MAX_REASONS;
    const counted = known ? reason : "other reasons";
    this.#dropped.set(counted, (this.#dropped.get(counted) ?? 0) + 1);
  }

  /** Counts an invalid row. @throws the error unless invalid rows are skipped. */
  invalid({ line }: Row, error: SourceError): void {
    if (!this.#skipInvalid) throw error;
    this.#invalidCount++;
    if (this.#invalidRows.length < MAX_INVALID_ROWS)
      this.#invalidRows.push({ line, field: "", description: error.message });
  }

  /**
   * Returns one line about dropped rows, most frequent reason first, and one line about columns that are empty in all
   * rows.
   */
  notes(): readonly string[] {
    const counts = [...this.#dropped].sort(([, a], [, b]) => b - a);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const reasons = counts.map(([reason, count]) => `${reason}: ${count}`).join(", ");
    return [
      ...(total > 0 ? [`${total} of ${this.#rows} rows dropped (${reasons})`] : []),
      ...(this.#rows > 0 && this.#unseen.size > 0 ? [`no row has ${[...this.#unseen].join(", ")}`] : []),
    ];
  }
}

/** How messages refer to rows in a file. */
interface RowNames {
  readonly unit: RowUnit;
  /** The map. Undefined for event files. */
  readonly map: EventMap | undefined;
}

/** Describes a violation in a file: line or row, source column, and problem. */
export function violationText({ line, field, description }: LineViolation, { unit, map }: RowNames): string {
  const place = line === undefined ? "" : `${unit} ${line}: `;
  const source = (map && columnsOfField(field, map)) ?? field;
  return place + [source, description].filter((text) => text !== "").join(" ");
}

/** Returns the source columns of an event field. Returns undefined if the field has no columns. */
function columnsOfField(
  field: string,
  { messageId, only, except, ...sources }: EventMap,
): string | undefined {
  if (field === "messageId") return messageId.columns.join(", ");
  return Object.hasOwn(sources, field) ? sources[field as keyof typeof sources]?.column : undefined;
}
