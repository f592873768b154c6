import type { AppPlatform, AppsByPlatform, FirebaseAppInfoJson } from "@waybill/client";
import { Command, Option } from "commander";
import { CommandFailure, failClearly } from "../support/command-failure.js";
import { parseSeveral } from "../support/flag-values.js";
import { pagesOf } from "../support/page-formats.js";
import { print } from "../support/print.js";
import {
  addProjectFlags,
  definedIn,
  jsonLine,
  PAGE_SIZE,
  type ProjectFlags,
  printList,
  registryOf,
} from "../support/registry-flags.js";
import type { Column } from "../support/text-table.js";
import { type AppFieldFlags, appFields, platformOf } from "./app-fields.js";

const EXAMPLE = `
Examples:
  $ waybill apps list --project new-shop
  $ waybill apps create --project new-shop --platform ios --bundle-id com.example.shop --team-id A1B2C3D4E5
  $ waybill apps create --project new-shop --platform android --package-name com.example.shop
  $ waybill apps update --project new-shop --app 1:123456789012:web:0a1b2c3d4e5f6a7b --display-name Shop`;

const PLATFORMS = ["ios", "android", "web"] as const satisfies readonly AppPlatform[];

interface ListFlags extends ProjectFlags {
  readonly platform?: AppPlatform;
  readonly deleted?: true;
}

interface CreateFlags extends ProjectFlags, AppFieldFlags {
  readonly platform: AppPlatform;
}

interface AppFlags extends ProjectFlags {
  readonly app: string;
  readonly platform?: AppPlatform;
}

interface UpdateFlags extends AppFlags, AppFieldFlags {}

interface RemoveFlags extends AppFlags {
  readonly immediate?: true;
}

const COLUMNS: readonly Column<FirebaseAppInfoJson>[] = [
  { title: "app", leastWidth: 16, text: ({ appId = "" }) => appId },
  { title: "platform", leastWidth: 8, text: ({ platform = "unknown" }) => platform.toLowerCase() },
  { title: "bundle id or package", leastWidth: 16, text: ({ namespace = "" }) => namespace },
  { title: "name", leastWidth: 12, text: ({ displayName = "" }) => displayName },
  { title: "state", leastWidth: 7, text: ({ state = "" }) => state.toLowerCase() },
  { title: "defined in", leastWidth: 8, text: definedIn },
];

/** `waybill apps`: lists and changes a project's registered apps on a running server. */
export function appsCommand(): Command {
  const command = new Command("apps")
    .description("List, register, change, remove and restore a project's apps on a running server")
    .addHelpText("after", EXAMPLE);
  const below = (name: string): Command => addProjectFlags(command.command(name));
  const ofApp = (name: string): Command =>
    below(name)
      .requiredOption("--app <app>", "id of the app")
      .addOption(platformOption("its platform (default: as in the id)"));

  below("list")
    .description("Print a project's registered apps")
    .addOption(platformOption("only apps on this platform"))
    .option("--deleted", "also list removed apps that can be restored")
    .option("--json", "print each app as a JSON object")
    .action(failClearly(list));
  addFieldFlags(below("create").addOption(platformOption("its platform").makeOptionMandatory()))
    .description("Register an app; the server assigns its id")
    .option("--bundle-id <id>", "bundle id of an iOS app, such as com.example.shop")
    .option("--package-name <name>", "package name of an Android app, such as com.example.shop")
    .option("--json", "print the app as a JSON object")
    .action(failClearly(create));
  addFieldFlags(ofApp("update"))
    .description("Change a registered app")
    .option("--json", "print the app as a JSON object")
    .action(failClearly(update));
  ofApp("remove")
    .description("Remove a registered app; it can be restored for some time")
    .option("--immediate", "remove it permanently")
    .action(failClearly(remove));
  ofApp("undelete").description("Restore a removed app").action(failClearly(undelete));
  return command;
}

const platformOption = (description: string): Option =>
  new Option("--platform <platform>", description).choices(PLATFORMS);

/** Adds a flag for each field that can be changed. */
const addFieldFlags = (command: Command): Command =>
  command
    .option("--display-name <name>", "display name")
    .option("--team-id <id>", "Apple team id of an iOS app; App Attest needs it")
    .option("--app-store-id <number>", "App Store id of an iOS app")
    .option("--app-url <url>", "address of a web app; repeat for several", parseSeveral);

async function list(flags: ListFlags): Promise<void> {
  const { project, platform, deleted } = flags;
  const found = registryOf(flags).searchApps({ project, showDeleted: deleted, pageSize: PAGE_SIZE });
  const pages = pagesOf(found, ({ apps }) =>
    platform === undefined ? apps : apps?.filter((app) => app.platform?.toLowerCase() === platform),
  );
  await printList(pages, COLUMNS, flags);
}

async function create({ project, platform, ...flags }: CreateFlags): Promise<void> {
  const app = await registryOf(flags).createApp({ project, platform, app: appFields(platform, flags) });
  await printApp("Registered", app, flags);
}

async function update(flags: UpdateFlags): Promise<void> {
  const { project, app: appId } = flags;
  const platform = platformOf(flags);
  const fields = appFields(platform, flags);
  const updateMask = Object.keys(fields).join(",");
  if (updateMask === "") throw new CommandFailure("nothing to change; set a flag such as --display-name");
  const name = `projects/${project}/${platform}Apps/${appId}`;
  const app = await registryOf(flags).updateApp({ platform, app: { ...fields, name }, updateMask });
  await printApp("Changed", app, flags);
}

const printApp = (
  done: string,
  app: AppsByPlatform[AppPlatform],
  { json }: Pick<ProjectFlags, "json">,
): Promise<void> => print([json ? jsonLine(app) : `${done} app ${app.appId}.\n`]);

async function remove({ immediate, ...flags }: RemoveFlags): Promise<void> {
  const { project, app } = flags;
  await registryOf(flags).removeApp({ project, platform: platformOf(flags), app, immediate });
  const hint = immediate ? "" : " To restore it, use waybill apps undelete.";
  await print([`Removed app ${app}.${hint}\n`]);
}

async function undelete(flags: AppFlags): Promise<void> {
  const { project, app } = flags;
  await registryOf(flags).undeleteApp({ project, platform: platformOf(flags), app });
  await print([`Restored app ${app}.\n`]);
}
