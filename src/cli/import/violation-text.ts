import type { LineViolation } from "@waybill/client";
import type { EventMap } from "./event-map.js";
import type { RowUnit } from "./row.js";

/** How the rows of a file are called. */
export interface RowNames {
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
function columnsOfField(field: string, map: EventMap): string | undefined {
  if (field === "messageId") return map.messageId.columns.join(", ");
  const { appId, eventTime, eventType, analyticsLabel, notification, usageReportingOptIn } = map;
  const sources = { appId, eventTime, eventType, analyticsLabel, notification, usageReportingOptIn };
  return Object.hasOwn(sources, field) ? sources[field as keyof typeof sources]?.column : undefined;
}
