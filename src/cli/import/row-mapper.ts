import { InvalidArgumentError } from "commander";
import type { MessageEventJson } from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import type { EventMap } from "./event-map.js";
import { eventTimeOf } from "./event-time.js";
import { cellText, type Row, SourceError, shown } from "./row.js";

/** App ids from `--app` flags. */
export interface Apps {
  /** App id for rows without an app. */
  readonly unnamed?: string;
  /** App id for each app name in the rows. */
  readonly named: ReadonlyMap<string, string>;
}

/** Used if the rows already contain app ids. */
const NO_APPS: Apps = { named: new Map() };

/** Parses a flag value, `ID` or `NAME=ID`, and adds it to the apps. */
export function parseApp(value: string, apps: Apps = NO_APPS): Apps {
  const at = value.indexOf("=");
  const [name, id] = at < 0 ? [undefined, value] : [value.slice(0, at), value.slice(at + 1)];
  if (name === "" || id === "") throw new InvalidArgumentError("It must be ID, or NAME=ID.");
  if (name === undefined) return { ...apps, unnamed: id };
  return { ...apps, named: new Map([...apps.named, [name, id]]) };
}

/** A row's event, or the reason why the row is dropped. */
export type Mapped = { readonly event: MessageEventJson } | { readonly dropped: string };

type Flag = EventMap["usageReportingOptIn"];

/** Converts rows to events, as a map describes. */
export class RowMapper {
  readonly #map: EventMap;
  readonly #apps: Apps;
  readonly #types: ReadonlyMap<string, string> | undefined;
  readonly #flags: ReadonlyMap<Flag, ReadonlyMap<string, boolean>>;
  readonly #only: readonly Selection[];
  readonly #except: readonly Selection[];

  constructor(map: EventMap, apps: Apps = NO_APPS) {
    this.#map = map;
    this.#apps = apps;
    this.#types = map.eventType.values && byText(map.eventType.values);
    const flags = [map.notification, map.usageReportingOptIn].filter((flag) => flag !== undefined);
    this.#flags = new Map(flags.map((flag) => [flag, byText(flag.values ?? { true: true, false: false })]));
    this.#only = selectionsOf(map.only);
    this.#except = selectionsOf(map.except);
  }

  /** Converts a row. @throws SourceError if the row is invalid. */
  map(row: Row): Mapped {
    if (row.problem !== undefined) throw new SourceError(row.line, row.problem);
    const { eventType, eventTime, messageId } = this.#map;
    const type = this.#typeOf(row);
    if (type === undefined) return { dropped: reasonOf(row, eventType.column) };
    const unselected = this.#unselected(row);
    if (unselected !== undefined) return { dropped: unselected };
    const [first = ""] = messageId.columns;
    if (messageId.empty === "drop" && cellText(row, first) === undefined)
      return { dropped: reasonOf(row, first) };
    const event: MessageEventJson = {
      appId: this.#appOf(row),
      messageId: idOf(row, messageId.columns),
      eventTime: timeOf(row, eventTime),
      eventType: type as NonNullable<MessageEventJson["eventType"]>,
    };
    return { event: type === "ACCEPTED" ? { ...event, ...this.#acceptance(row) } : event };
  }

  /** Returns a row's event type. Returns undefined if the row must be dropped. */
  #typeOf(row: Row): string | undefined {
    const { column, others } = this.#map.eventType;
    const value = required(row, column);
    const type = this.#types === undefined ? value : this.#types.get(value.toLowerCase());
    if (type === "drop" || (type === undefined && others === "drop")) return undefined;
    if (type !== undefined) return type;
    throw new SourceError(row.line, `${column} has a value that is not in the map: ${shown(value)}`);
  }

  /** Returns why a row is not selected. Returns undefined if it is selected. */
  #unselected(row: Row): string | undefined {
    const has = ({ column, texts }: Selection) => texts.has((cellText(row, column) ?? "").toLowerCase());
    const wrong = this.#except.find(has) ?? this.#only.find((selection) => !has(selection));
    return wrong && reasonOf(row, wrong.column);
  }

  #appOf(row: Row): string {
    const { column, value } = this.#map.appId ?? {};
    const name = value ?? (column === undefined ? undefined : cellText(row, column));
    if (name !== undefined) return this.#apps.named.get(name) ?? name;
    if (this.#apps.unnamed !== undefined) return this.#apps.unnamed;
    const problem = column === undefined ? "has no app" : `${column} is empty`;
    throw new SourceError(row.line, `${problem}; set --app ID for such rows`);
  }

  /** Returns the fields that only ACCEPTED events have. */
  #acceptance(row: Row): MessageEventJson {
    const { analyticsLabel: label, notification, usageReportingOptIn } = this.#map;
    const analyticsLabel = label?.value ?? (label?.column && cellText(row, label.column));
    return {
      ...(analyticsLabel !== undefined && { analyticsLabel }),
      notification: notification !== undefined && this.#flagOf(row, notification),
      usageReportingOptIn: this.#flagOf(row, usageReportingOptIn),
    };
  }

  #flagOf(row: Row, flag: Flag): boolean {
    const { column = "", value, others } = flag;
    if (value !== undefined) return value;
    const text = cellText(row, column);
    const meant = text === undefined ? (others ?? false) : this.#flags.get(flag)?.get(text.toLowerCase());
    const is = meant ?? others;
    if (is !== undefined) return is;
    throw new SourceError(row.line, `${column} has a value that is not in the map: ${shown(text ?? "")}`);
  }
}

/** Selected values of one column. */
interface Selection {
  readonly column: string;
  /** Values in lower case. The empty string means that the column has no value. */
  readonly texts: ReadonlySet<string>;
}

const selectionsOf = (columns: Readonly<Record<string, readonly string[]>>): Selection[] =>
  Object.entries(columns).map(([column, values]) => ({
    column,
    texts: new Set(values.map((value) => value.toLowerCase())),
  }));

const byText = <T>(meanings: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries(meanings).map(([value, meaning]) => [value.toLowerCase(), meaning]));

/** Names the column value for which a row is dropped. */
const reasonOf = (row: Row, column: string): string => `${column} ${shown(cellText(row, column) ?? "empty")}`;

function required(row: Row, column: string): string {
  const text = cellText(row, column);
  if (text === undefined) throw new SourceError(row.line, `${column} is missing or empty`);
  return text;
}

/** Joins column values, without trailing empty values. */
function idOf(row: Row, [first = "", ...more]: readonly string[]): string {
  const parts = more.map((column) => cellText(row, column) ?? "");
  while (parts.at(-1) === "") parts.pop();
  return [required(row, first), ...parts].join(" ");
}

function timeOf(row: Row, { column, format, offset }: EventMap["eventTime"]): string {
  const text = required(row, column);
  const read = eventTimeOf(text, format, offset);
  if ("time" in read) return read.time;
  throw new SourceError(row.line, `${column} ${read.problem}: ${shown(text)}`);
}

export function columnsOf({ messageId, only, except, ...fields }: EventMap): readonly string[] {
  const single = Object.values(fields).flatMap((field) => field?.column ?? []);
  return [...new Set([...single, ...messageId.columns, ...Object.keys(only), ...Object.keys(except)])];
}
