import type { BindingJson, PolicyJson } from "#src/gen/waybill/registry/v1/registry_pb.js";

/** Roles, the highest first. */
export const ROLES = ["owner", "editor", "viewer"] as const;

export type Role = (typeof ROLES)[number];

/** What each role may do. */
export const ROLE_EFFECTS: Readonly<Record<Role, string>> = {
  owner: "can read all data, import events, and change configurations, apps and access",
  editor: "can read all data, import events, and change configurations",
  viewer: "can read all data, but cannot change anything",
};

export const roleWithArticle = (role: Role): string => `${role === "viewer" ? "a" : "an"} ${role}`;

/** A role of one member. */
export interface Grant {
  readonly role: Role;
  /** As in the policy, such as `user:ada@example.com`. */
  readonly member: string;
}

export interface ListedGrant extends Grant {
  /** True if the config file defines the grant. */
  readonly isOfFile: boolean;
}

/** Who has which role on a project. */
export interface Policy {
  /** The highest role first, then by member. */
  readonly grants: readonly ListedGrant[];
  readonly etag: string;
}

/** Reads a policy from the service's JSON. @throws Error for an unknown role. */
export function policyOf({ bindings = [], provisionedBindings = [], etag = "" }: PolicyJson): Policy {
  const ofFile = new Set(grantsIn(provisionedBindings).map(keyOf));
  const grants = grantsIn(bindings).map((grant) => ({ ...grant, isOfFile: ofFile.has(keyOf(grant)) }));
  return { grants: grants.sort(byRole), etag };
}

export const keyOf = ({ role, member }: Grant): string => `${role} ${member}`;

/** Finds a member's grant of a role. */
export const grantIn = ({ grants }: Policy, grant: Grant): ListedGrant | undefined =>
  grants.find((listed) => keyOf(listed) === keyOf(grant));

/** Returns the policy to send for other grants, with the etag that was read. */
export function policyJsonOf({ etag }: Policy, grants: readonly Grant[]): PolicyJson {
  const bindings = ROLES.map((role) => ({
    role: `roles/${role}`,
    members: [...new Set(grants.filter((grant) => grant.role === role).map(({ member }) => member))],
  }));
  return { version: 1, bindings: bindings.filter(({ members }) => members.length > 0), etag };
}

/** Returns a policy's grants after one was removed and another one was added. */
export function withChange(
  { grants }: Policy,
  { without, add }: { readonly without?: Grant; readonly add?: Grant },
): readonly Grant[] {
  const kept = grants.filter((grant) => without === undefined || keyOf(grant) !== keyOf(without));
  return add === undefined ? kept : [...kept, add];
}

export function grantsIn(bindings: readonly BindingJson[]): readonly Grant[] {
  return bindings.flatMap(({ role = "", members = [] }) => {
    const known = ROLES.find((name) => role === `roles/${name}`);
    if (known === undefined) throw new Error(`unknown role ${role}`);
    return members.map((member) => ({ role: known, member }));
  });
}

const byRole = (a: Grant, b: Grant): number =>
  ROLES.indexOf(a.role) - ROLES.indexOf(b.role) || (a.member < b.member ? -1 : 1);
