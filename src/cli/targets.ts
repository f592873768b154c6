import type { TargetJson } from "@waybill/client";
import { Command, InvalidArgumentError } from "commander";
import { dateText, labelText, numberOf } from "../presentation/field-text.js";
import { type ClientFlags, clientOf, serverOption, tokenOption } from "./support/client-flags.js";
import { failClearly } from "./support/command-failure.js";
import { print } from "./support/print.js";
import { jsonLine, PAGE_SIZE, printList, type RegistryFlags } from "./support/registry-flags.js";
import type { Column } from "./support/text-table.js";

const EXAMPLE = `
Examples:
  $ waybill targets create --project new-shop --app 1:123456789012:android:0a1b2c3d4e5f --delivered 85
  $ waybill targets create --project new-shop --app 1:123456789012:android:0a1b2c3d4e5f --label promo --delivered 80
  $ waybill targets list --project new-shop
  $ waybill targets delete projects/123456789012/targets/7a3f9c520d1e4b68`;

interface ListFlags extends RegistryFlags {
  readonly project: string;
}

interface CreateFlags extends ListFlags {
  readonly app: string;
  readonly label?: string;
  readonly delivered: number;
}

const COLUMNS: readonly Column<TargetJson>[] = [
  { title: "app", leastWidth: 16, text: ({ appId = "" }) => appId },
  {
    title: "label",
    leastWidth: 12,
    text: ({ analyticsLabel }) => (analyticsLabel === undefined ? "(whole app)" : labelText(analyticsLabel)),
  },
  { title: "target %", text: ({ deliveredPercent }) => percent(deliveredPercent) },
  { title: "observed %", text: ({ observedPercent }) => percent(observedPercent) },
  { title: "messages", text: ({ acceptedMessageCount = "0" }) => acceptedMessageCount },
  { title: "on", leastWidth: 10, text: ({ evaluatedDate }) => dateText(evaluatedDate) },
  { title: "state", leastWidth: 6, text: ({ state = "" }) => state.toLowerCase().replaceAll("_", " ") },
  { title: "name", leastWidth: 16, text: ({ name = "" }) => name },
];

const percent = (value: number | string | undefined): string => numberOf(value).toFixed(2);

/** `waybill targets`: lists and changes a project's targets on a running server. */
export function targetsCommand(): Command {
  const command = new Command("targets")
    .description("List, create and delete targets: delivered shares that apps and labels must reach each day")
    .addHelpText("after", EXAMPLE);
  const below = (name: string): Command =>
    command.command(name).addOption(serverOption("messaging-data")).addOption(tokenOption());
  const inProject = (name: string): Command =>
    below(name).requiredOption("--project <project>", "id or number of the project");

  inProject("list")
    .description("Print a project's targets, with their results on the last complete day")
    .option("--json", "print each target as a JSON object")
    .action(failClearly(list));
  inProject("create")
    .description("Set a target for an app or label")
    .requiredOption("--app <app>", "id of the Android app")
    .option("--label <label>", 'analytics label, "" for messages without a label (default: the whole app)')
    .requiredOption("--delivered <percent>", "minimum delivered share, in percent", parsePercent)
    .option("--json", "print the target as a JSON object")
    .action(failClearly(create));
  below("delete")
    .description("Delete a target")
    .argument("<name>", "its name, as waybill targets list prints it")
    .action(failClearly(remove));
  return command;
}

function parsePercent(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && value <= 100) return value;
  throw new InvalidArgumentError("It must be a number above 0, and at most 100.");
}

async function list(flags: ListFlags): Promise<void> {
  const { project } = flags;
  const targets = clientOf("messaging-data", flags).targets.list({ project, pageSize: PAGE_SIZE });
  await printList(pagesOf(targets.pages()), COLUMNS, flags);
}

async function* pagesOf(pages: AsyncIterable<{ readonly targets?: readonly TargetJson[] }>) {
  for await (const { targets = [] } of pages) yield targets;
}

async function create(flags: CreateFlags): Promise<void> {
  const { project, app, label, delivered, json } = flags;
  const resource: TargetJson = {
    appId: app,
    deliveredPercent: delivered,
    ...(label !== undefined && { analyticsLabel: label }),
  };
  const created = await clientOf("messaging-data", flags).targets.create({ project, resource });
  await print([json ? jsonLine(created) : `Created ${created.name}.\n`]);
}

async function remove(name: string, flags: ClientFlags): Promise<void> {
  await clientOf("messaging-data", flags).targets.delete({ name });
  await print([`Deleted ${name}.\n`]);
}
