import { detectIncidents } from "#dist/incidents/detection/detect-incidents.js";
import { Chance } from "../incidents/chance.js";
import { randomHistory } from "../incidents/random-traffic.js";
import { anyFault, fallOf, quiet } from "../incidents/scenarios.js";
import { type Finder, type Score, scoreHistories } from "../incidents/score.js";
import type { Measurement } from "../support/measurement.js";
import { duration } from "../support/measurement.js";
import type { Row } from "../support/row.js";

const SEED = 1;
const LEAST_RECALL = 0.95;
const MOST_FALSE_PER_THOUSAND = 1;
const MOST_MS = 1000;

const find: Finder = (app, labels, lastDay) => {
  const finder = detectIncidents(app, labels, lastDay);
  for (;;) {
    const { done, value } = finder.next();
    if (done) return value;
  }
};

/** The incident rule's quality in random histories, and its time for the largest app. */
export const incidentsRow: Row = {
  name: "incidents",
  measure: async ({ histories, incidentLabels }) => {
    const score = (wishes: Parameters<typeof scoreHistories>[3], share = 1): Score =>
      scoreHistories(find, SEED, Math.ceil(histories * share), wishes);
    return [
      recallLine("falls of 10 points, 200 messages a day", score(fallOf(10, 200)), LEAST_RECALL),
      recallLine("falls of 20 points, 200 messages a day", score(fallOf(20, 200), 0.5), LEAST_RECALL),
      recallLine("falls of 10 points, 1,000 messages a day", score(fallOf(10, 1000), 0.5), LEAST_RECALL),
      recallLine("falls of 5 points, 200 messages a day", score(fallOf(5, 200), 0.5)),
      recallLine("falls of 5 points, 1,000 messages a day", score(fallOf(5, 1000), 0.5)),
      recallLine("falls of 20 points, 30 messages a day", score(fallOf(20, 30), 0.5)),
      recallLine("incidents of all kinds, 30 to 20,000 messages a day", score(anyFault), LEAST_RECALL),
      falseLine("no incidents, 30 to 20,000 messages a day", score(quiet)),
      timeLine(incidentLabels),
    ];
  },
};

function recallLine(what: string, score: Score, least = 0): Measurement {
  const percent = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
  const delays = score.delays.toSorted((a, b) => a - b);
  const found = score.foundInTwoDays / score.faults;
  const all = score.trueFindings + score.falseFindings;
  return {
    what: `${score.faults} ${what}`,
    waybill: `${percent(score.foundInTwoDays, score.faults)} in two days`,
    reference: `${percent(score.found, score.faults)} at all, day ${delays[delays.length >> 1] ?? "-"}`,
    ratio: `${falsePerThousand(score)}/k, ${percent(score.trueFindings, all)}`,
    reach: least === 0 ? "-" : `≥ ${100 * least} %`,
    reached: found >= least,
  };
}

function falseLine(what: string, score: Score): Measurement {
  return {
    what,
    waybill: `${falsePerThousand(score)} false incidents`,
    reference: `${score.quietDays.toLocaleString("en-US")} days of labels`,
    ratio: "-",
    reach: `≤ ${MOST_FALSE_PER_THOUSAND} per 1,000`,
    reached: (1000 * score.falseFindings) / score.quietDays <= MOST_FALSE_PER_THOUSAND,
  };
}

function falsePerThousand(score: Score): string {
  return ((1000 * score.falseFindings) / score.quietDays).toFixed(2);
}

/** The time for a year of a large app. */
function timeLine(labels: number): Measurement {
  const {
    app,
    labels: counts,
    lastDay,
  } = randomHistory(new Chance(SEED), { days: 365, labels, faults: () => [] });
  find(app, counts, lastDay);
  const before = process.cpuUsage();
  find(app, counts, lastDay);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  return {
    what: `processor time for 365 days of ${labels.toLocaleString("en-US")} labels`,
    waybill: duration(ms),
    reference: "-",
    ratio: "-",
    reach: `≤ ${duration(MOST_MS)}`,
    reached: ms <= MOST_MS,
  };
}
