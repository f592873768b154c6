import * as z from "zod";
import { dayOf, formatDay } from "../../model/day.js";
import { dateText } from "../../presentation/field-text.js";
import { type GapReader, gapSentences } from "../../presentation/gap-sentences.js";
import type { Reading } from "./read-tool.js";
import { count } from "./words.js";

/** Maximum number of gaps to read: the maximum page size. */
const MAX_READ = 1_000;
/** Maximum number of gaps to list individually. */
const MAX_GAPS = 20;

const GAP = z.object({
  app: z.string().describe('"-" if the list of apps cannot be read'),
  kind: z.string().describe("MISSING_DATE, or the reason why no entries arrive"),
  date: z.string().optional().describe("The missing date; otherwise the last date with entries"),
  expireDate: z.string().optional().describe("Last date on which upstream still lists the missing entries"),
  since: z.string().describe("Time at which the gap was first detected"),
  problem: z.string().optional().describe("Problem in the last attempt"),
});

/** Gaps in an app's mirror. */
export const GAPS = z.object({
  gaps: z
    .array(GAP)
    .describe("Gaps in a project that mirrors another service (upstream); empty for other projects"),
  moreGaps: z.boolean().describe("True if further gaps were omitted"),
});

/** Gaps in a mirror, as sentences and as data. */
export interface FoundGaps {
  /** A single line, or no line if there are no gaps. */
  readonly lines: readonly string[];
  readonly data: z.output<typeof GAPS>;
}

export async function readGaps(app: string, { client, project, signal }: Reading): Promise<FoundGaps> {
  const { gaps = [], nextPageToken } = await client
    .listMirrorGaps({ project, app, pageSize: MAX_READ, signal })
    .readPage();
  const isWhole = nextPageToken === undefined;
  const beginning = isWhole ? "The mirror has gaps" : `Of the first ${count(MAX_READ)} gaps in the mirror`;
  const sentences = gapSentences(gaps, { today: dayOf(Date.now()), ...FORMATS });
  return {
    lines: sentences.length === 0 ? [] : [`${beginning}: ${sentences.join(" ")}`],
    data: {
      gaps: gaps
        .slice(0, MAX_GAPS)
        .map(({ appId = "", kind = "", date, expireDate, startTime = "", problem }) => ({
          app: appId,
          kind,
          ...(date !== undefined && { date: dateText(date) }),
          ...(expireDate !== undefined && { expireDate: dateText(expireDate) }),
          since: startTime,
          ...(problem !== undefined && { problem }),
        })),
      moreGaps: !isWhole || gaps.length > MAX_GAPS,
    },
  };
}

const FORMATS: Omit<GapReader, "today"> = {
  day: formatDay,
  time: (time) => new Date(time).toISOString(),
  count,
};
