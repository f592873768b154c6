import * as z from "zod";
import type { DeliveryDataGroupJson } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { type DayRange, dayOfJson, rangeBefore } from "../../model/day.js";
import { filterOf } from "../list/filter.js";
import { endsOf, readRange } from "./day-range.js";
import { INCIDENTS, incidentsOfDaysInWords, NO_INCIDENTS, readIncidents } from "./incidents.js";
import {
  deliveredInWords,
  OUTCOME_SHARES,
  originInWords,
  othersInWords,
  outcomeShares,
} from "./outcome-shares.js";
import type { ReadTool } from "./read-tool.js";
import { APP, RANGE, strictArguments } from "./strict-arguments.js";
import { appName, change, tenths } from "./words.js";

const MAX_INCIDENTS = 20;

const PERIOD = OUTCOME_SHARES.extend({
  from: z.string(),
  to: z.string(),
  days: z.int(),
  daysWithData: z.int(),
});

type Period = z.output<typeof PERIOD>;

const input = strictArguments({ app: APP, ...RANGE });
const output = z.object({
  app: z.string(),
  period: PERIOD,
  before: PERIOD.describe("The same number of days before"),
  deliveredChangePoints: z.number().optional().describe("Absent if one of the periods has no messages"),
  acceptedChangePercent: z
    .number()
    .optional()
    .describe(
      "Absent if the periods have different numbers of days with data, or there were no messages before",
    ),
  ...INCIDENTS.shape,
});

export const deliveryReport: ReadTool<typeof input, typeof output> = {
  name: "delivery_report",
  title: "Delivery report",
  description:
    "Summarize an app's messages in a range of days, by default the last seven: number of messages, outcomes, the change " +
    "from the same number of days before, and the incidents.",
  input,
  output,
  response: async ({ app, ...ends }, reading) => {
    const range = await readRange(app, ends, reading);
    const earlier = rangeBefore(range);
    const { client, project, signal } = reading;
    const filter = filterOf({ from: endsOf(earlier).from, to: endsOf(range).to });
    const [groups, incidents] = await Promise.all([
      client.aggregateDeliveryData({ project, app, filter, groupBy: ["DATE"], signal }),
      readIncidents(app, endsOf(range), MAX_INCIDENTS, reading),
    ]);
    const [period, before] = [periodOf(groups, range), periodOf(groups, earlier)];
    const changes = changesOf(period, before);
    // Without an upper limit, the filter would also match days after an ongoing incident.
    const found = period.daysWithData === 0 ? NO_INCIDENTS : incidents;
    return {
      lines: [
        `Messages of ${appName(app)} from ${period.from} to ${period.to}${dataOf(period)}: ${deliveredInWords(period)}.`,
        ...(othersInWords(period) === "" ? [] : [`Not delivered: ${othersInWords(period)}.`]),
        `The ${before.days} days before${dataOf(before)}: ${deliveredInWords(before)}.${inWords(changes)}`,
        ...originInWords(groups),
        ...incidentsOfDaysInWords(found),
      ],
      data: { app, period, before, ...changes, ...found },
    };
  },
};

function periodOf(groups: readonly DeliveryDataGroupJson[], range: DayRange): Period {
  const inRange = groups.filter(({ date = {}, counts }) => {
    const day = dayOfJson(date);
    // In a mirror, all entries of a day may lack figures. Such a day counts as a day without data.
    return day >= range.first && day <= range.last && counts?.countMessagesAccepted !== undefined;
  });
  return {
    ...endsOf(range),
    days: range.last - range.first + 1,
    daysWithData: inRange.length,
    ...outcomeShares(inRange.map(({ counts }) => counts)),
  };
}

interface Changes {
  readonly deliveredChangePoints?: number;
  readonly acceptedChangePercent?: number;
}

/**
 * Describes the changes between two periods. Message counts are compared only if both periods have data for the same
 * number of days.
 */
function changesOf(period: Period, before: Period): Changes {
  if (period.deliveredPercent === undefined || before.deliveredPercent === undefined) return {};
  return {
    deliveredChangePoints: tenths(period.deliveredPercent - before.deliveredPercent),
    ...(period.daysWithData === before.daysWithData
      ? { acceptedChangePercent: tenths((100 * (period.accepted - before.accepted)) / before.accepted) }
      : {}),
  };
}

function inWords({ deliveredChangePoints, acceptedChangePercent }: Changes): string {
  if (deliveredChangePoints === undefined) return "";
  const count =
    acceptedChangePercent === undefined
      ? ""
      : `; the number of messages ${change(acceptedChangePercent, "%")}`;
  return ` The share delivered ${change(deliveredChangePoints, "points")}${count}.`;
}

/** Describes for how many days there is data. Empty if all days have data. */
const dataOf = ({ days, daysWithData }: Period): string =>
  daysWithData === days ? "" : ` (${daysWithData} of ${days} days have data)`;
