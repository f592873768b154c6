import { isDeepStrictEqual } from "node:util";
import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";
import type { Config } from "./config-schema.js";

/** Names of the added, removed and changed entries of one kind. */
export interface EntryChanges {
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
  readonly changed?: readonly string[];
}

/** Changes that a running server applies. Kinds of entries without changes are omitted. Contains no secrets. */
export interface ConfigChanges {
  readonly projects?: EntryChanges;
  readonly apps?: EntryChanges;
  readonly access?: EntryChanges;
  readonly issuers?: EntryChanges;
}

type Reloaded = Pick<Config, "projects" | "access" | "auth">;

/** Entries of one kind, with the content of each, by name. */
type Entries = ReadonlyMap<string, unknown>;

/** Compares two configs by the keys that a running server reloads. */
export function reloadedChanges(before: Reloaded, after: Reloaded): ConfigChanges {
  const kinds = { projects: projectsOf, apps: appsOf, access: accessOf, issuers: issuersOf };
  const changes = Object.entries(kinds).map(([kind, entriesOf]) => [
    kind,
    entryChanges(entriesOf(before), entriesOf(after)),
  ]);
  return Object.fromEntries(changes.filter(([, change]) => Object.keys(change ?? {}).length > 0));
}

/** Returns the paths of changed keys that only a restart applies, such as `messagingData.settleDelay`. */
export function keysForRestart(running: Config, after: Config): readonly string[] {
  return changedPaths(withoutReloaded(running), withoutReloaded(after), "");
}

/** Returns the ids of projects with an added, removed or changed mirror. Only a restart applies such changes. */
export function mirrorsForRestart(running: Reloaded, after: Reloaded): readonly string[] {
  const { added = [], removed = [], changed = [] } = entryChanges(mirrorsOf(running), mirrorsOf(after));
  return [...added, ...removed, ...changed];
}

function entryChanges(before: Entries, after: Entries): EntryChanges {
  const names = [...after.keys()];
  const added = names.filter((name) => !before.has(name));
  const removed = [...before.keys()].filter((name) => !after.has(name));
  const changed = names.filter(
    (name) => before.has(name) && !isDeepStrictEqual(before.get(name), after.get(name)),
  );
  return {
    ...(added.length > 0 && { added }),
    ...(removed.length > 0 && { removed }),
    ...(changed.length > 0 && { changed }),
  };
}

const projectsOf = ({ projects }: Reloaded): Entries =>
  new Map(projects.map(({ id, number, displayName }) => [id, { number, displayName }]));

const appsOf = ({ projects }: Reloaded): Entries =>
  new Map(projects.flatMap(({ id, apps }) => apps.map((app) => [`${id}/${app.id}`, app] as const)));

const ROLE_NAMES: Readonly<Record<Role, string>> = {
  [Role.ROLE_UNSPECIFIED]: "none",
  [Role.VIEWER]: "viewer",
  [Role.EDITOR]: "editor",
  [Role.OWNER]: "owner",
};

/** Each role of each rule, such as `viewer reporter@example.com on news`. */
function accessOf({ projects, access }: Reloaded): Entries {
  const ids = new Map(projects.map(({ id, number }) => [number, id]));
  const grants = access.flatMap(({ principal, issuer, projects: names, role }) =>
    names.map((name) => {
      const from = issuer === undefined ? "" : ` of ${issuer}`;
      return `${ROLE_NAMES[role]} ${principal}${from} on ${ids.get(name) ?? name}`;
    }),
  );
  return new Map(grants.map((grant) => [grant, undefined]));
}

const issuersOf = ({ auth }: Reloaded): Entries =>
  new Map(auth.issuers.map((configured) => [configured.issuer, configured]));

const mirrorsOf = ({ projects }: Reloaded): Entries =>
  new Map(
    projects.flatMap(({ id, number, deliveryData }) =>
      deliveryData.source === "mirror" ? [[id, { number, deliveryData }] as const] : [],
    ),
  );

function withoutReloaded({ projects: _projects, access: _access, auth, ...others }: Config): object {
  const { issuers: _issuers, ...otherAuth } = auth;
  return { ...others, auth: otherAuth };
}

function changedPaths(before: unknown, after: unknown, path: string): readonly string[] {
  if (!isObject(before) || !isObject(after)) return isDeepStrictEqual(before, after) ? [] : [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    changedPaths(before[key], after[key], path === "" ? key : `${path}.${key}`),
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
