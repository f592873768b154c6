import { z } from "zod";
import { filterOf } from "../list/filter.js";
import { APP, LABEL, RANGE } from "./arguments.js";
import { endsOf, readRange } from "./day-range.js";
import { INCIDENTS, incidentsOfDaysInWords, readIncidents } from "./incidents.js";
import { deliveredInWords, OUTCOME_SHARES, othersInWords, outcomeShares } from "./outcome-shares.js";
import type { ReadTool } from "./read-tool.js";
import { appName, labelName } from "./words.js";

const MAX_LABELS = 20;
const MAX_INCIDENTS = 20;

const LABEL_SHARES = OUTCOME_SHARES.extend({
  label: z.string().describe("Empty for messages without a label"),
});

const input = z.object({
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
  labels: z.array(LABEL_SHARES).describe("In the order asked for, otherwise most messages first"),
  moreLabels: z.int().describe("Number of labels that this answer leaves out"),
  ...INCIDENTS.shape,
});

/** The tool `compare_labels`. */
export const compareLabels: ReadTool<typeof input, typeof output> = {
  name: "compare_labels",
  title: "Compare labels",
  description:
    "Analytics labels of an app side by side: messages and outcomes of each in a range of days, and their incidents. " +
    "Small differences of few messages are chance: incidents are not. Also finds the names of labels.",
  input,
  output,
  answer: async ({ app, labels: asked, ...ends }, reading) => {
    const range = endsOf(await readRange(app, ends, reading));
    const { client, project, signal } = reading;
    const selection = { ...range, ...(asked === undefined ? {} : { label: asked }) };
    const filter = filterOf(selection);
    const [groups, incidents] = await Promise.all([
      client.aggregateDeliveryData({ project, app, filter, groupBy: ["ANALYTICS_LABEL"], signal }),
      readIncidents(app, selection, MAX_INCIDENTS, reading),
    ]);
    const found = new Map(
      groups.map(({ analyticsLabel = "", counts }) => [analyticsLabel, outcomeShares([counts])]),
    );
    const all =
      asked === undefined
        ? [...found].map(([label, shares]) => ({ label, ...shares })).sort((a, b) => b.accepted - a.accepted)
        : [...new Set(asked)].map((label) => ({ label, ...(found.get(label) ?? outcomeShares([])) }));
    const labels = all.slice(0, MAX_LABELS);
    const moreLabels = all.length - labels.length;
    return {
      lines: [
        `Labels of ${appName(app)} from ${range.from} to ${range.to}:`,
        ...labels.map(
          (each) =>
            `${labelName(each.label)}: ${[deliveredInWords(each), othersInWords(each)].filter(Boolean).join(", ")}`,
        ),
        ...(moreLabels > 0 ? [`${moreLabels} more labels have fewer messages.`] : []),
        ...incidentsOfDaysInWords(incidents),
      ],
      data: { app, ...range, labels, moreLabels, ...incidents },
    };
  },
};
