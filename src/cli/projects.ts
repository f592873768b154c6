import type { RegistryProjectJson } from "@waybill/client";
import { Command } from "commander";
import { failClearly } from "./support/command-failure.js";
import { pagesOf } from "./support/page-formats.js";
import { print } from "./support/print.js";
import {
  addRegistryFlags,
  definedIn,
  jsonLine,
  PAGE_SIZE,
  printList,
  type RegistryFlags,
  registryOf,
} from "./support/registry-flags.js";
import type { Column } from "./support/text-table.js";

const EXAMPLE = `
Examples:
  $ waybill projects list --token "$(waybill token --principal admin@example.com)"
  $ waybill projects create new-shop --display-name "New shop"
  $ waybill projects delete new-shop`;

interface ListFlags extends RegistryFlags {
  readonly deleted?: true;
}

interface CreateFlags extends RegistryFlags {
  readonly displayName?: string;
}

const COLUMNS: readonly Column<RegistryProjectJson>[] = [
  { title: "id", leastWidth: 12, text: ({ projectId = "" }) => projectId },
  { title: "number", leastWidth: 12, text: ({ projectNumber = "" }) => projectNumber },
  { title: "name", leastWidth: 12, text: ({ displayName = "" }) => displayName },
  { title: "state", leastWidth: 7, text: ({ state = "" }) => state.toLowerCase() },
  { title: "defined in", leastWidth: 8, text: definedIn },
];

/** `waybill projects`: lists and changes a running server's projects. */
export function projectsCommand(): Command {
  const command = new Command("projects")
    .description("List, create, rename, delete and restore projects on a running server")
    .addHelpText("after", EXAMPLE);
  addRegistryFlags(command.command("list"))
    .description("Print the projects on which you have a role")
    .option("--deleted", "also list deleted projects that can be restored, if you own all projects")
    .option("--json", "print each project as a JSON object")
    .action(failClearly(list));
  addRegistryFlags(command.command("create"))
    .description("Create a project; you become its owner")
    .argument("<project>", "id: 6 to 30 lowercase letters, digits and hyphens")
    .option("--display-name <name>", "display name, 4 to 30 characters (default: the id)")
    .option("--json", "print the project as a JSON object")
    .action(failClearly(create));
  addRegistryFlags(command.command("rename"))
    .description("Change the display name of a project")
    .argument("<project>", "id or number of the project")
    .argument("<name>", "display name, 4 to 30 characters")
    .option("--json", "print the project as a JSON object")
    .action(failClearly(rename));
  addRegistryFlags(command.command("delete"))
    .description("Delete a project; access ends immediately, and its data is erased later")
    .argument("<project>", "id or number of the project")
    .action(failClearly(remove));
  addRegistryFlags(command.command("undelete"))
    .description("Restore a deleted project with its apps, access policy and data")
    .argument("<project>", "id or number of the project")
    .action(failClearly(undelete));
  return command;
}

async function list(flags: ListFlags): Promise<void> {
  const projects = registryOf(flags).listProjects({ showDeleted: flags.deleted, pageSize: PAGE_SIZE });
  const pages = pagesOf(projects, ({ results }) => results);
  await printList(pages, COLUMNS, flags);
}

async function create(projectId: string, flags: CreateFlags): Promise<void> {
  const project = await registryOf(flags).createProject({ projectId, displayName: flags.displayName });
  const text = `Created project ${project.projectId}, number ${project.projectNumber}.\n`;
  await print([flags.json ? jsonLine(project) : text]);
}

async function rename(id: string, displayName: string, flags: RegistryFlags): Promise<void> {
  const project = await registryOf(flags).updateProject({
    project: { name: `projects/${id}`, displayName },
    updateMask: "displayName",
  });
  await print([flags.json ? jsonLine(project) : `Renamed project ${id} to ${project.displayName}.\n`]);
}

async function remove(project: string, flags: RegistryFlags): Promise<void> {
  await registryOf(flags).deleteProject({ project });
  await print([
    `Deleted project ${project}. You can restore it with waybill projects undelete until its data is erased.\n`,
  ]);
}

async function undelete(project: string, flags: RegistryFlags): Promise<void> {
  await registryOf(flags).undeleteProject({ project });
  await print([`Restored project ${project}.\n`]);
}
