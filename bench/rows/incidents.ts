import { detectIncidents } from "#dist/incidents/detection/detect-incidents.js";
import { detectVolumeIncidents } from "#dist/incidents/volume/detect-volume-incidents.js";
import { Chance } from "../incidents/chance.js";
import { findVolumes } from "../incidents/find-volumes.js";
import { randomHistory } from "../incidents/random-traffic.js";
import { anyFault, fallOf, quiet } from "../incidents/scenarios.js";
import { type Finder, type Score, scoreHistories } from "../incidents/score.js";
import {
  changedVolumes,
  quietVolumes,
  scoreVolumes,
  type VolumeFinder,
  type VolumeScore,
} from "../incidents/volume-score.js";
import { SENDERS } from "../incidents/volume-traffic.js";
import { duration, figureLine, type Measurement } from "../support/measurement.js";
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

/** Accuracy of incident detection in random histories, and its duration for the largest app. */
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
      ...volumeLines(histories),
      timeLine(incidentLabels, "shares", find),
      timeLine(incidentLabels, "numbers", findChanges),
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
    target: least === 0 ? "-" : `≥ ${100 * least} %`,
    isMet: found >= least,
  };
}

function falseLine(what: string, score: Score): Measurement {
  return {
    what,
    waybill: `${falsePerThousand(score)} false incidents`,
    reference: `${score.quietDays.toLocaleString("en-US")} days of labels`,
    ratio: "-",
    target: `≤ ${MOST_FALSE_PER_THOUSAND} per 1,000`,
    isMet: (1000 * score.falseFindings) / score.quietDays <= MOST_FALSE_PER_THOUSAND,
  };
}

const findChanges = findVolumes(detectVolumeIncidents);

/** Stops, drops and rises in the number of messages. */
function volumeLines(histories: number): Measurement[] {
  const score = (wishes: Parameters<typeof scoreVolumes>[3], share: number): VolumeScore =>
    scoreVolumes(findChanges, SEED, Math.ceil(histories * share), wishes);
  const isOfLabel = true;
  return [
    volumeLine(
      "silences of apps, 200 messages a day",
      score(changedVolumes("silence", 0, 200), 1),
      1,
      LEAST_RECALL,
    ),
    volumeLine(
      "silences of labels, apps with 1,000 messages a day",
      score(changedVolumes("silence", 0, 1000, { sender: "daily", isOfLabel }), 0.5),
      1,
      LEAST_RECALL,
    ),
    volumeLine(
      "falls by 70 %, 200 messages a day",
      score(changedVolumes("fall", 0.3, 200, { sender: "daily" }), 0.5),
      3,
    ),
    volumeLine(
      "falls by 50 %, 1,000 messages a day",
      score(changedVolumes("fall", 0.5, 1000, { sender: "daily" }), 0.5),
      3,
    ),
    volumeLine(
      "rises to 300 %, 200 messages a day",
      score(changedVolumes("rise", 3, 200, { sender: "daily" }), 0.5),
      4,
    ),
    ...SENDERS.map((sender) => quietVolumeLine(sender, score(quietVolumes(sender), 0.5))),
  ];
}

/** @param days number of days within which a change must be detected. */
function volumeLine(what: string, score: VolumeScore, days: number, least = 0): Measurement {
  const { faults, delays } = score;
  const sooner = delays.filter((delay) => delay <= days).length / faults;
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  return {
    what: `${faults} ${what}`,
    waybill: `${percent(sooner)} in ${days === 1 ? "one day" : `${days} days`}`,
    reference: `${percent(delays.length / faults)} in a week`,
    ratio: `${perThousand(score.falseOfApp, score.appDays)}/k`,
    target: least === 0 ? "-" : `≥ ${100 * least} %`,
    isMet: sooner >= least,
  };
}

function quietVolumeLine(sender: string, score: VolumeScore): Measurement {
  return {
    what: `unchanged numbers of messages: ${sender}`,
    waybill: `${perThousand(score.falseOfApp, score.appDays)} false incidents`,
    reference: `${score.appDays.toLocaleString("en-US")} days of apps`,
    ratio: `labels: ${perThousand(score.falseOfLabels, score.labelDays)}/k`,
    target: `≤ ${MOST_FALSE_PER_THOUSAND} per 1,000`,
    isMet: 1000 * score.falseOfApp <= MOST_FALSE_PER_THOUSAND * score.appDays,
  };
}

const perThousand = (count: number, days: number): string => ((1000 * count) / days).toFixed(2);

function falsePerThousand(score: Score): string {
  return ((1000 * score.falseFindings) / score.quietDays).toFixed(2);
}

/** Measures the duration for a year of a large app. */
function timeLine(labels: number, what: string, evaluate: Finder | VolumeFinder): Measurement {
  const {
    app,
    labels: counts,
    lastDay,
  } = randomHistory(new Chance(SEED), { days: 365, labels, faults: () => [] });
  evaluate(app, counts, lastDay);
  const before = process.cpuUsage();
  evaluate(app, counts, lastDay);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  const line = `processor time for ${what} on 365 days of ${labels.toLocaleString("en-US")} labels`;
  return figureLine(line, duration(ms), `≤ ${duration(MOST_MS)}`, ms <= MOST_MS);
}
