import * as z from "zod";
import { lastDayOf } from "./day-range.js";
import { GAPS, readGaps } from "./gaps.js";
import { INCIDENTS, incidentInWords, readIncidents } from "./incidents.js";
import type { ReadTool } from "./read-tool.js";
import { APP, DAY, strictArguments } from "./strict-arguments.js";
import { appName } from "./words.js";

const MAX_INCIDENTS = 50;

const input = strictArguments({
  app: APP.default("-"),
  since: DAY.optional().describe("Only incidents on or after this day, YYYY-MM-DD. Default: all"),
  ongoing: z.boolean().default(false).describe("True for only ongoing incidents"),
});

const output = INCIDENTS.extend(GAPS.shape);

export const whatChanged: ReadTool<typeof input, typeof output> = {
  name: "what_changed",
  title: "What changed",
  description:
    "List the incidents that the server has detected: what changed in message delivery, since when, in which label and by how much. " +
    `Newest first, at most ${MAX_INCIDENTS}. Also lists gaps in a project that mirrors another service. Use it for questions about drops, failures, outages and causes.`,
  input,
  output,
  response: async ({ app, since, ongoing }, reading) => {
    const flags = { ongoing, ...(since === undefined ? {} : { from: since }) };
    const [found, missing] = await Promise.all([
      readIncidents(app, flags, MAX_INCIDENTS, reading),
      readGaps(app, reading),
    ]);
    const { incidents, moreIncidents } = found;
    // An unknown app has no incidents. Reports the wrong app id instead of good news.
    if (incidents.length === 0 && missing.lines.length === 0) await lastDayOf(app, reading);
    const days = since === undefined ? "" : ` since ${since}`;
    return {
      lines: [
        ...(incidents.length === 0
          ? [`No ${ongoing ? "ongoing " : ""}incidents${days} (${appName(app)}).`]
          : []),
        ...incidents.map(incidentInWords),
        ...(moreIncidents ? [`These are the newest ${MAX_INCIDENTS}; there are older incidents.`] : []),
        ...missing.lines,
      ],
      data: { ...found, ...missing.data },
    };
  },
};
