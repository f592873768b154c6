import type { AnnotationJson, AnnotationKindJson } from "@waybill/client";
import { Command, Option } from "commander";
import { civilDate, parseDay as dayNumber } from "../model/day.js";
import { dateText } from "../presentation/field-text.js";
import { parseDay } from "./list/filter.js";
import { type ClientFlags, clientOf, serverOption, tokenOption } from "./support/client-flags.js";
import { failClearly } from "./support/command-failure.js";
import { print } from "./support/print.js";
import { jsonLine, PAGE_SIZE, printList, type RegistryFlags } from "./support/registry-flags.js";
import type { Column } from "./support/text-table.js";

const EXAMPLE = `
Examples:
  $ waybill annotations create --project new-shop --date 2026-11-25 --kind release --text "Release 4.2"
  $ waybill annotations list --project new-shop
  $ waybill annotations delete projects/123456789012/annotations/7a3f9c52-0d1e-4b68-9f2a-6c5b8d7e1f04`;

const KINDS = ["release", "campaign", "outage", "other"] as const;

interface ListFlags extends RegistryFlags {
  readonly project: string;
}

interface CreateFlags extends ListFlags {
  readonly date: string;
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
  readonly app?: string;
}

const COLUMNS: readonly Column<AnnotationJson>[] = [
  { title: "date", leastWidth: 10, text: ({ date }) => dateText(date) },
  { title: "kind", leastWidth: 8, text: ({ kind = "" }) => kind.toLowerCase() },
  { title: "text", leastWidth: 12, text: ({ text = "" }) => text },
  // Parentheses differ from any app id in use.
  { title: "app", leastWidth: 16, text: ({ appId = "(whole project)" }) => appId },
  { title: "name", leastWidth: 16, text: ({ name = "" }) => name },
];

/** `waybill annotations`: lists and changes a project's annotations on a running server. */
export function annotationsCommand(): Command {
  const command = new Command("annotations")
    .description("List, create and delete annotations, such as releases, that charts and incidents show")
    .addHelpText("after", EXAMPLE);
  const below = (name: string): Command =>
    command.command(name).addOption(serverOption("messaging-data")).addOption(tokenOption());
  const inProject = (name: string): Command =>
    below(name).requiredOption("--project <project>", "id or number of the project");

  inProject("list")
    .description("Print a project's annotations, newest date first")
    .option("--json", "print each annotation as a JSON object")
    .action(failClearly(list));
  inProject("create")
    .description("Record an event on a date")
    .requiredOption("--date <date>", "day in America/Los_Angeles, YYYY-MM-DD", parseDay)
    .addOption(new Option("--kind <kind>", "kind of event").choices(KINDS).makeOptionMandatory())
    .requiredOption("--text <text>", "description in one line, up to 100 characters")
    .option("--app <app>", "id of the Android app (default: the whole project)")
    .option("--json", "print the annotation as a JSON object")
    .action(failClearly(create));
  below("delete")
    .description("Delete an annotation")
    .argument("<name>", "its name, as waybill annotations list prints it")
    .action(failClearly(remove));
  return command;
}

async function list(flags: ListFlags): Promise<void> {
  const { project } = flags;
  const annotations = clientOf("messaging-data", flags).annotations.list({ project, pageSize: PAGE_SIZE });
  await printList(pagesOf(annotations.pages()), COLUMNS, flags);
}

async function* pagesOf(pages: AsyncIterable<{ readonly annotations?: readonly AnnotationJson[] }>) {
  for await (const { annotations = [] } of pages) yield annotations;
}

async function create(flags: CreateFlags): Promise<void> {
  const { project, date, kind, text, app, json } = flags;
  const resource: AnnotationJson = {
    date: civilDate(Number(dayNumber(date))),
    kind: kind.toUpperCase() as AnnotationKindJson,
    text,
    ...(app !== undefined && { appId: app }),
  };
  const created = await clientOf("messaging-data", flags).annotations.create({ project, resource });
  await print([json ? jsonLine(created) : `Created ${created.name}.\n`]);
}

async function remove(name: string, flags: ClientFlags): Promise<void> {
  await clientOf("messaging-data", flags).annotations.delete({ name });
  await print([`Deleted ${name}.\n`]);
}
