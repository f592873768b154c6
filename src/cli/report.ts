import { writeFile } from "node:fs/promises";
import type { DeliveryDataGroupJson, TargetJson, WaybillClient } from "@waybill/client";
import { Command } from "commander";
import {
  type Day,
  type DayRange,
  parseDay as dayNumber,
  dayOfJson,
  formatDay,
  mondayOf,
  WEEK,
} from "../model/day.js";
import { entryFilter } from "../presentation/entry-filter.js";
import { numberOf } from "../presentation/field-text.js";
import { excludedEntriesIn, hasCounts } from "../presentation/mirrored-sums.js";
import { type AppDay, type ReportData, weeklyReport } from "../presentation/weekly-report.js";
import { readMissedTargets } from "../reports/report-data.js";
import type { TargetValues } from "../targets/targets.js";
import { parseDay } from "./list/filter.js";
import { type ClientFlags, clientOf, serverOption, tokenOption } from "./support/client-flags.js";
import { CommandFailure, failClearly } from "./support/command-failure.js";
import { print } from "./support/print.js";
import { PAGE_SIZE } from "./support/registry-flags.js";

const EXAMPLE = `
Examples:
  $ waybill report --project demo-project --out report.md
  $ waybill report --project demo-project --week 2026-11-16`;

interface ReportFlags extends ClientFlags {
  readonly project: string;
  readonly week?: string;
  readonly out?: string;
}

/** `waybill report`: writes a project's weekly report. */
export function reportCommand(): Command {
  return new Command("report")
    .description("Write a project's weekly report in Markdown")
    .requiredOption("--project <project>", "id or number of the project")
    .option(
      "--week <date>",
      "a day of the week, YYYY-MM-DD; weeks begin on Monday (default: the last week that has ended)",
      parseDay,
    )
    .option("--out <file>", "file to write (default: standard output)")
    .addOption(serverOption("messaging-data"))
    .addOption(tokenOption())
    .addHelpText("after", EXAMPLE)
    .action(failClearly(report));
}

async function report(flags: ReportFlags): Promise<void> {
  const { project, week, out } = flags;
  const client = clientOf("messaging-data", flags);
  const monday = week === undefined ? await lastMonday(client, project) : mondayOf(Number(dayNumber(week)));
  const range = { first: monday - WEEK, last: monday + WEEK - 1 };
  const [{ days, excludedEntries }, incidents, targets, annotations] = await Promise.all([
    daysOf(client, project, range),
    client.listIncidents({ project, app: "-", pageSize: PAGE_SIZE, filter: overlapping(range) }).toArray(),
    client.targets.list({ project, pageSize: PAGE_SIZE }).toArray(),
    client.annotations.list({ project, pageSize: PAGE_SIZE }).toArray(),
  ]);
  const text = weeklyReport({
    project,
    monday,
    days,
    excludedEntries,
    incidents,
    missedTargets: await readMissedTargets(targets.map(valuesOf), days, monday, (of) =>
      labelDays(client, { project, range: { first: monday, last: range.last }, ...of }),
    ),
    annotations: annotations.filter(({ date = {} }) => mondayOf(dayOfJson(date)) === monday).toReversed(),
  });
  if (out === undefined) await print([text]);
  else await writeFile(out, text);
}

/** Returns the first day of the last week that has ended, as far as the project has data. */
async function lastMonday(client: WaybillClient, project: string): Promise<Day> {
  const apps = await client.listAndroidApps({ project, pageSize: PAGE_SIZE }).toArray();
  const last = apps.flatMap(({ lastDate }) => (lastDate === undefined ? [] : [dayOfJson(lastDate)]));
  if (last.length === 0) throw new CommandFailure(`${project} has no delivery data yet; set --week`);
  return mondayOf(Math.max(...last) - WEEK + 1);
}

const overlapping = ({ first, last }: DayRange): string =>
  `startDate <= "${formatDay(last)}" AND (endDate >= "${formatDay(first)}" OR NOT endDate:*)`;

/** Reads the messages of all apps by day, one day at a time, so that sums stay below the maximum. */
async function daysOf(
  client: WaybillClient,
  project: string,
  { first, last }: DayRange,
): Promise<Pick<ReportData, "days" | "excludedEntries">> {
  const days: AppDay[] = [];
  let excludedEntries: number | undefined;
  for (let day = first; day <= last; day++) {
    const filter = entryFilter({ range: { first: day, last: day }, labels: undefined });
    const groups = await client.aggregateDeliveryData({ project, app: "-", filter, groupBy: ["APP"] });
    const excluded = excludedEntriesIn(groups);
    if (excluded !== undefined) excludedEntries = (excludedEntries ?? 0) + (day > last - WEEK ? excluded : 0);
    for (const group of groups)
      if (group.appId !== undefined && hasCounts(group))
        days.push({ appId: group.appId, day, ...messagesOf(group) });
  }
  return { days, excludedEntries };
}

const messagesOf = ({ counts }: DeliveryDataGroupJson) => ({
  accepted: numberOf(counts?.countMessagesAccepted),
  delivered: numberOf(counts?.delivered),
});

async function labelDays(
  client: WaybillClient,
  of: { project: string; appId: string; label: string; range: DayRange },
): Promise<readonly AppDay[]> {
  const { project, appId, label, range } = of;
  const filter = entryFilter({ range, labels: [label] });
  const groups = await client.aggregateDeliveryData({ project, app: appId, filter, groupBy: ["DATE"] });
  return groups.map((group) => ({ appId, day: dayOfJson(group.date ?? {}), ...messagesOf(group) }));
}

const valuesOf = ({ appId = "", analyticsLabel: label, deliveredPercent }: TargetJson): TargetValues => ({
  appId,
  ...(label !== undefined && { label }),
  deliveredPercent: numberOf(deliveredPercent),
});
