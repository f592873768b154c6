import { z } from "zod";
import { lastDayOf } from "./day-range.js";
import { GAPS, readGaps } from "./gaps.js";
import { INCIDENTS, incidentInWords, readIncidents } from "./incidents.js";
import type { ReadTool } from "./read-tool.js";
import { APP, DAY, strictArguments } from "./strict-arguments.js";
import { appName } from "./words.js";

const MAX_INCIDENTS = 50;

const input = strictArguments({
  app: APP.default("-"),
  since: DAY.optional().describe(
    "Only incidents that lasted until this day or longer, YYYY-MM-DD. Default: all",
  ),
  ongoing: z.boolean().default(false).describe("True for incidents that go on only"),
});

const output = INCIDENTS.extend(GAPS.shape);

/** The tool `what_changed`. */
export const whatChanged: ReadTool<typeof input, typeof output> = {
  name: "what_changed",
  title: "What changed",
  description:
    "What changed in the delivery of messages, since when, in which label and by how much: the incidents that the server finds, " +
    `newest first, at most ${MAX_INCIDENTS}; and what is missing in a project that mirrors another service. Use it for questions about falls, faults, outages and causes.`,
  input,
  output,
  answer: async ({ app, since, ongoing }, reading) => {
    const flags = { ongoing, ...(since === undefined ? {} : { from: since }) };
    const [found, missing] = await Promise.all([
      readIncidents(app, flags, MAX_INCIDENTS, reading),
      readGaps(app, reading),
    ]);
    const { incidents, moreIncidents } = found;
    // An app that does not exist has no incidents either, which would be good news about a typing error.
    if (incidents.length === 0 && missing.lines.length === 0) await lastDayOf(app, reading);
    const days = since === undefined ? "" : ` since ${since}`;
    return {
      lines: [
        ...(incidents.length === 0
          ? [`No ${ongoing ? "ongoing " : ""}incidents${days} (${appName(app)}).`]
          : []),
        ...incidents.map(incidentInWords),
        ...(moreIncidents ? [`These are the newest ${MAX_INCIDENTS}; there are older ones.`] : []),
        ...missing.lines,
      ],
      data: { ...found, ...missing.data },
    };
  },
};
