import { z } from "zod";
import { filterOf } from "../list/filter.js";
import { APP, LABEL, RANGE } from "./arguments.js";
import { endsOf, readRange } from "./day-range.js";
import {
  deliveredInWords,
  OUTCOME_SHARES,
  type OutcomeShares,
  othersInWords,
  outcomeShares,
} from "./outcome-shares.js";
import type { ReadTool } from "./read-tool.js";
import { appName, labelName, percent } from "./words.js";

const MAX_LABELS = 20;

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
});

/** The tool `compare_labels`. */
export const compareLabels: ReadTool<typeof input, typeof output> = {
  name: "compare_labels",
  title: "Compare labels",
  description:
    "Analytics labels of an app side by side: messages and outcomes of each in a range of days. Also finds the names of labels.",
  input,
  output,
  answer: async ({ app, labels: asked, ...ends }, reading) => {
    const range = endsOf(await readRange(app, ends, reading));
    const { client, project, signal } = reading;
    const groups = await client.aggregateDeliveryData({
      project,
      app,
      filter: filterOf({ ...range, ...(asked === undefined ? {} : { label: asked }) }),
      groupBy: ["ANALYTICS_LABEL"],
      signal,
    });
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
        ...extremes(labels),
        ...(moreLabels > 0 ? [`${moreLabels} more labels have fewer messages.`] : []),
      ],
      data: { app, ...range, labels, moreLabels },
    };
  },
};

/** Says which labels have the least and the most messages delivered, if there are two with messages. */
function extremes(labels: readonly (OutcomeShares & { readonly label: string })[]): string[] {
  const ranked = labels
    .map(({ label, deliveredPercent }) => ({ label, share: deliveredPercent ?? Number.NaN }))
    .filter(({ share }) => !Number.isNaN(share))
    .sort((a, b) => a.share - b.share);
  const [least, most] = [ranked[0], ranked.at(-1)];
  if (least === undefined || most === undefined || least.share === most.share) return [];
  const named = ({ label, share }: typeof least): string => `${labelName(label)}, ${percent(share)}`;
  return [`Least delivered: ${named(least)}. Most: ${named(most)}.`];
}
