import type { AnnotationJson, AnnotationKindJson } from "@waybill/client";
import { type Command, Option } from "commander";
import { civilDate, parseDay as dayNumber } from "../model/day.js";
import { dateText } from "../presentation/field-text.js";
import { parseDay } from "./list/filter.js";
import { parseText } from "./support/flag-values.js";
import type { ProjectFlags } from "./support/registry-flags.js";
import { resourceCommand } from "./support/resource-command.js";

const EXAMPLES = `\
  $ waybill annotations create --project new-shop --date 2026-11-25 --kind release --text "Release 4.2"
  $ waybill annotations list --project new-shop
  $ waybill annotations delete projects/123456789012/annotations/7a3f9c52-0d1e-4b68-9f2a-6c5b8d7e1f04`;

const KINDS = ["release", "campaign", "outage", "other"] as const;

interface CreateFlags extends ProjectFlags {
  readonly date: string;
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
  readonly app?: string;
}

/** `waybill annotations`: lists and changes a project's annotations on a running server. */
export const annotationsCommand = (): Command =>
  resourceCommand({
    name: "annotations",
    one: "an annotation",
    description: "List, create and delete annotations, such as releases, that charts and incidents show",
    examples: EXAMPLES,
    listDescription: "Print a project's annotations, newest date first",
    columns: [
      { title: "date", leastWidth: 10, text: ({ date }) => dateText(date) },
      { title: "kind", leastWidth: 8, text: ({ kind = "" }) => kind.toLowerCase() },
      { title: "text", leastWidth: 12, text: ({ text = "" }) => text },
      // Parentheses differ from any app id in use.
      { title: "app", leastWidth: 16, text: ({ appId = "(whole project)" }) => appId },
      { title: "name", leastWidth: 16, text: ({ name = "" }) => name },
    ],
    createDescription: "Record an event on a date",
    withOptions: (command) =>
      command
        .requiredOption("--date <date>", "day in America/Los_Angeles, YYYY-MM-DD", parseDay)
        .addOption(new Option("--kind <kind>", "kind of event").choices(KINDS).makeOptionMandatory())
        .requiredOption("--text <text>", "description in one line, up to 100 characters")
        .option("--app <app>", "id of the Android app (default: the whole project)", parseText),
    read: ({ date, kind, text, app }: CreateFlags): AnnotationJson => ({
      date: civilDate(Number(dayNumber(date))),
      kind: kind.toUpperCase() as AnnotationKindJson,
      text,
      ...(app !== undefined && { appId: app }),
    }),
    clientOf: ({ annotations }) => annotations,
  });
