import type { AndroidIncidentJson } from "#src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import type { AggregateAndroidDeliveryDataResponseJson } from "#src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { UnixMillis } from "#src/model/clock.js";
import { dayOfJson, parseDay } from "#src/model/day.js";
import { excludedEntriesIn, hasCounts } from "#src/presentation/mirrored-sums.js";
import type { DayRange } from "../days/day-range.js";
import { type ChartDay, chartDaysOf } from "../figures/chart-day.js";
import { type Incident, incidentOf } from "../figures/incident.js";
import { countsOf } from "../numbers/counts.js";

export interface SharedViewJson {
  readonly displayName: string;
  readonly appId: string;
  /** Omitted if the app is not registered. May be empty. */
  readonly appDisplayName?: string;
  readonly labels?: readonly string[];
  readonly firstDate: string;
  readonly lastDate: string;
  readonly linkExpireTime: string;
  readonly deliveryData: AggregateAndroidDeliveryDataResponseJson;
  readonly incidents: readonly AndroidIncidentJson[];
}

export interface SharedView {
  readonly title: string;
  /** Name for people; the app id if there is none. */
  readonly app: string;
  readonly labels: readonly string[] | undefined;
  readonly range: DayRange;
  /** Days with entries. */
  readonly rows: readonly ChartDay[];
  /** Number of entries that lack figures, for a mirrored project. Undefined for other projects. */
  readonly excludedEntries: number | undefined;
  readonly incidents: readonly Incident[];
  readonly expires: UnixMillis;
}

export function sharedViewOf(json: SharedViewJson): SharedView {
  const { groups = [] } = json.deliveryData;
  return {
    title: json.displayName,
    app: json.appDisplayName || json.appId,
    labels: json.labels,
    range: { first: knownDay(json.firstDate), last: knownDay(json.lastDate) },
    rows: chartDaysOf(
      groups.filter(hasCounts).map(({ date, counts = {} }) => ({
        day: date && dayOfJson(date),
        counts: countsOf(counts),
      })),
    ),
    excludedEntries: excludedEntriesIn(groups),
    incidents: json.incidents.map(incidentOf),
    expires: Date.parse(json.linkExpireTime),
  };
}

function knownDay(text: string): number {
  const day = parseDay(text);
  if (day === undefined) throw new Error(`the date ${text} does not exist`);
  return day;
}
