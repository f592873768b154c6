import type { InvalidLine, LineViolation } from "@waybill/client";
import type { EventMap } from "./event-map.js";
import type { Row, RowUnit, SourceError } from "./row.js";

/** Most reasons that are counted apart: a column may have any number of values. */
const MAX_REASONS = 30;
/** Maximum number of invalid rows that are kept. */
const MAX_INVALID_ROWS = 100;

/** Gathers what a user must know about the rows of a file. */
export class RowReport {
  #rows = 0;
  readonly #dropped = new Map<string, number>();
  readonly #unseen: Set<string>;
  readonly #skipInvalid: boolean;
  readonly #invalidRows: InvalidLine[] = [];
  #invalidCount = 0;

  /**
   * @param columns names of the columns that are needed.
   * @param skipInvalid true to count rows that are neither events nor to be dropped, instead of failing.
   */
  constructor(columns: readonly string[], skipInvalid = false) {
    this.#unseen = new Set(columns);
    this.#skipInvalid = skipInvalid;
  }

  /** Number of rows that were skipped because they are neither events nor to be dropped. */
  get invalidCount(): number {
    return this.#invalidCount;
  }

  /** The first of these rows. */
  get invalidRows(): readonly InvalidLine[] {
    return this.#invalidRows;
  }

  /** Counts a row that was read. */
  read({ cells }: Row): void {
    this.#rows++;
    for (const column of this.#unseen) if (Object.hasOwn(cells, column)) this.#unseen.delete(column);
  }

  /** Counts a row that became no event. */
  dropped(reason: string): void {
    const known = this.#dropped.has(reason) || this.#dropped.size < MAX_REASONS;
    const counted = known ? reason : "other reasons";
    this.#dropped.set(counted, (this.#dropped.get(counted) ?? 0) + 1);
  }

  /** Counts a row that is neither an event nor to be dropped. @throws the error unless such rows are skipped. */
  invalid({ line }: Row, error: SourceError): void {
    if (!this.#skipInvalid) throw error;
    this.#invalidCount++;
    if (this.#invalidRows.length < MAX_INVALID_ROWS)
      this.#invalidRows.push({ line, field: "", description: error.message });
  }

  /** Says what was dropped, most frequent reason first, and which columns no row had: a line for each. */
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

/** How the rows of a file are called. */
interface RowNames {
  readonly unit: RowUnit;
  /** How rows become events; undefined for files of events. */
  readonly map: EventMap | undefined;
}

/** Describes a violation in a file: the line or row, the column that the field comes from, and the problem. */
export function violationText({ line, field, description }: LineViolation, { unit, map }: RowNames): string {
  const place = line === undefined ? "" : `${unit} ${line}: `;
  const source = (map && columnsOfField(field, map)) ?? field;
  return place + [source, description].filter((text) => text !== "").join(" ");
}

/** The columns that a field of an event comes from; undefined if it comes from elsewhere. */
function columnsOfField(
  field: string,
  { messageId, only, except, ...sources }: EventMap,
): string | undefined {
  if (field === "messageId") return messageId.columns.join(", ");
  return Object.hasOwn(sources, field) ? sources[field as keyof typeof sources]?.column : undefined;
}
