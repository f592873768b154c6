import { z } from "zod";
import { dayOf, formatDay } from "../../model/day.js";
import { dateText } from "../../presentation/field-text.js";
import { type GapReader, gapSentences } from "../../presentation/gap-sentences.js";
import type { Reading } from "./read-tool.js";
import { count } from "./words.js";

/** Most gaps that sentences are about: the longest page. */
const MAX_READ = 1_000;
/** Most gaps that an answer names one by one. */
const MAX_GAPS = 20;

const GAP = z.object({
  app: z.string().describe('"-" if the list of apps cannot be read'),
  kind: z.string().describe("Such as MISSING_DATE, or what keeps entries from coming"),
  date: z.string().optional().describe("The missing date; otherwise the last date with entries"),
  expireDate: z.string().optional().describe("Last date on which the original gives what is missing"),
  since: z.string().describe("Time at which the gap was first seen"),
  problem: z.string().optional().describe("The problem of the last attempt"),
});

/** What is missing in the mirror of an app. */
export const GAPS = z.object({
  gaps: z
    .array(GAP)
    .describe("What is missing in a project that mirrors another service, the original; empty for others"),
  moreGaps: z.boolean().describe("True if there are gaps that this answer leaves out"),
});

/** The gaps in a mirror, in sentences and as data. */
export interface FoundGaps {
  /** A line, or none without gaps. */
  readonly lines: readonly string[];
  readonly data: z.output<typeof GAPS>;
}

/** Reads what is missing in the mirror of an app. */
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
