import * as z from "zod";
import type { DeliveryDataGroupJson } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { ALL_APPS } from "../../model/names.js";
import { labelText } from "../../presentation/field-text.js";
import { hasCounts } from "../../presentation/mirrored-sums.js";
import { withUsualDays } from "../../presentation/usual-days.js";
import { type FilterFlags, filterOf } from "../list/filter.js";
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
import { APP, LABEL, RANGE, strictArguments } from "./strict-arguments.js";
import { appName, count, percent } from "./words.js";

const MAX_LABELS = 20;
const MAX_INCIDENTS = 20;

const LABEL_SHARES = OUTCOME_SHARES.extend({
  label: z.string().describe("Empty for messages without a label"),
  usualDeliveredPercent: z
    .number()
    .optional()
    .describe("Delivered share on days without an incident, of these days and four weeks before"),
});

type LabelShares = z.output<typeof LABEL_SHARES>;

const input = strictArguments({
  app: APP,
  labels: z
    .array(LABEL)
    .min(1)
    .max(MAX_LABELS)
    .optional()
    .describe(`The labels to compare. Default: the ${MAX_LABELS} with the most messages`),
  ...RANGE,
});
const output = z.object({
  app: z.string(),
  from: z.string(),
  to: z.string(),
  labels: z.array(LABEL_SHARES).describe("In the requested order, otherwise most messages first"),
  moreLabels: z.int().describe("Number of omitted labels"),
  ...INCIDENTS.shape,
});

export const compareLabels: ReadTool<typeof input, typeof output> = {
  name: "compare_labels",
  title: "Compare labels",
  description:
    "Compare the analytics labels of an app: their messages and outcomes in a range of days, and their incidents. " +
    "Small differences between few messages are random; incidents are significant. Also lists label names.",
  input,
  output,
  response: async ({ app, labels: asked, ...ends }, reading) => {
    const days = await readRange(app, ends, reading);
    const range = endsOf(days);
    const { client, project, signal } = reading;
    const selection = { ...range, ...(asked === undefined ? {} : { label: asked }) };
    const sums = (of: FilterFlags, usualDatesOnly = false) =>
      client.aggregateDeliveryData({
        project,
        app,
        filter: filterOf(of),
        groupBy: ["ANALYTICS_LABEL"],
        usualDatesOnly,
        signal,
      });
    const [groups, found, usual] = await Promise.all([
      sums(selection),
      readIncidents(app, selection, MAX_INCIDENTS, reading),
      app === ALL_APPS ? [] : sums({ ...selection, ...endsOf(withUsualDays(days)) }, true),
    ]);
    const usualShares = new Map(rankedLabels(usual).map((each) => [each.label, each.deliveredPercent]));
    // Without an upper limit, the filter would also match days after an ongoing incident.
    const incidents = groups.length === 0 ? NO_INCIDENTS : found;
    const ranked = rankedLabels(groups);
    const all =
      asked === undefined
        ? ranked
        : [...new Set(asked)].map(
            (label) => ranked.find((each) => each.label === label) ?? { label, ...outcomeShares([]) },
          );
    // If a requested label has no messages, its name may be misspelled, so the error lists the known labels. Too many
    // labels to sum are not listed.
    const others = all.some(({ accepted }) => accepted === 0)
      ? rankedLabels(await sums(range).catch(() => []))
      : [];
    const labels = all.slice(0, MAX_LABELS).map((each): LabelShares => {
      const share = usualShares.get(each.label);
      return share === undefined ? each : { ...each, usualDeliveredPercent: share };
    });
    const moreLabels = all.length - labels.length;
    const unknown = new Set(
      groups.filter((group) => !hasCounts(group)).map(({ analyticsLabel = "" }) => analyticsLabel),
    );
    return {
      lines: [
        `Labels of ${appName(app)} from ${range.from} to ${range.to}:`,
        ...labels.map(
          (each) =>
            `${labelText(each.label)}: ${unknown.has(each.label) ? "no figures" : [deliveredInWords(each), othersInWords(each)].filter(Boolean).join(", ")}` +
            (each.usualDeliveredPercent === undefined
              ? ""
              : `; usually ${percent(each.usualDeliveredPercent)} delivered`),
        ),
        ...(others.length > 0 ? [`Labels with messages on these days: ${namesOf(others)}.`] : []),
        ...(moreLabels > 0 ? [`${moreLabels} more labels have fewer messages.`] : []),
        ...originInWords(groups),
        ...incidentsOfDaysInWords(incidents),
      ],
      data: { app, ...range, labels, moreLabels, ...incidents },
    };
  },
};

const rankedLabels = (groups: readonly DeliveryDataGroupJson[]) =>
  groups
    .map(({ analyticsLabel = "", counts }) => ({ label: analyticsLabel, ...outcomeShares([counts]) }))
    .sort((a, b) => b.accepted - a.accepted);

/** Lists the labels with the most messages. */
function namesOf(ranked: ReturnType<typeof rankedLabels>): string {
  const names = ranked.slice(0, MAX_LABELS).map(({ label }) => labelText(label));
  const more = ranked.length - names.length;
  return `${names.join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}`;
}
