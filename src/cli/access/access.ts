import type { RegistryClient } from "@waybill/client";
import { Command, Option } from "commander";
import { failClearly } from "../support/command-failure.js";
import { print } from "../support/print.js";
import {
  addProjectFlags,
  definedIn,
  type ProjectFlags,
  printList,
  registryOf,
} from "../support/registry-flags.js";
import type { Column } from "../support/text-table.js";
import { type Change, changePolicy, withMembers, withoutMembers } from "./policy-change.js";

const EXAMPLE = `
Members are user:EMAIL, serviceAccount:EMAIL, or principal:ISSUER#SUBJECT for a subject of one issuer.

Examples:
  $ waybill access list --project new-shop
  $ waybill access grant --project new-shop --role editor user:ada@example.com
  $ waybill access revoke --project new-shop user:ada@example.com`;

const ROLES = ["viewer", "editor", "owner"] as const;

interface AccessFlags extends ProjectFlags {
  readonly role?: (typeof ROLES)[number];
}

interface Row {
  readonly role: string;
  readonly member: string;
  readonly provisionedByFile: boolean;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: "role", leastWidth: 12, text: ({ role }) => role },
  { title: "member", leastWidth: 16, text: ({ member }) => member },
  { title: "defined in", leastWidth: 8, text: definedIn },
];

/** `waybill access`: lists and changes members' roles on a project of a running server. */
export function accessCommand(): Command {
  const command = new Command("access")
    .description("List and change who has which role on a project of a running server")
    .addHelpText("after", EXAMPLE);
  const below = (name: string): Command => addProjectFlags(command.command(name));
  below("list")
    .description("Print a project's members with their roles")
    .option("--json", "print each member as a JSON object")
    .action(failClearly(list));
  below("grant")
    .description("Grant members a role on a project")
    .argument("<members...>", "such as user:ada@example.com")
    .addOption(roleOption("role to grant").makeOptionMandatory())
    .action(failClearly(grant));
  below("revoke")
    .description("Revoke roles of members on a project")
    .argument("<members...>", "such as user:ada@example.com")
    .addOption(roleOption("role to revoke (default: all roles)"))
    .action(failClearly(revoke));
  return command;
}

const roleOption = (description: string): Option => new Option("--role <role>", description).choices(ROLES);

async function list(flags: AccessFlags): Promise<void> {
  await printList(rowsOf(registryOf(flags), flags.project), COLUMNS, flags);
}

/** Yields all members as a single page. */
async function* rowsOf(registry: RegistryClient, project: string): AsyncGenerator<readonly Row[]> {
  const { bindings = [], provisionedBindings = [] } = await registry.getIamPolicy({ project });
  const isOfFile = (role: string, member: string): boolean =>
    provisionedBindings.some((binding) => binding.role === role && binding.members?.includes(member));
  yield bindings.flatMap(({ role = "", members = [] }) =>
    members.map((member) => ({ role, member, provisionedByFile: isOfFile(role, member) })),
  );
}

async function grant(members: readonly string[], flags: AccessFlags): Promise<void> {
  const role = `roles/${flags.role}`;
  await change(
    flags,
    (bindings) => withMembers(bindings, role, members),
    `Granted ${role} on ${flags.project}`,
  );
}

async function revoke(members: readonly string[], flags: AccessFlags): Promise<void> {
  const role = flags.role === undefined ? undefined : `roles/${flags.role}`;
  const done = `Revoked ${role ?? "all roles"} on ${flags.project}`;
  await change(flags, (bindings) => withoutMembers(bindings, role, members), done);
}

async function change(flags: AccessFlags, change: Change, done: string): Promise<void> {
  const changed = await changePolicy(registryOf(flags), flags.project, change);
  await print([changed ? `${done}.\n` : "Nothing to change: the members' roles are already as requested.\n"]);
}
