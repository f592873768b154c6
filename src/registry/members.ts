import { ApiError, ParameterViolations } from "../api/api-error.js";
import { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import { excerpt } from "../limits/excerpt.js";
import { MAX_PRINCIPAL } from "../limits/request-limits.js";

/** Maximum number of members in a policy, counted once for each role. */
export const MAX_POLICY_MEMBERS = 1_500;
/** Maximum length of all members of a policy together, in characters. */
const MAX_POLICY_LENGTH = 64 * 1024;

const ROLES: ReadonlyMap<string, Role> = new Map([
  ["roles/viewer", Role.VIEWER],
  ["roles/editor", Role.EDITOR],
  ["roles/owner", Role.OWNER],
]);

const NAMES: ReadonlyMap<Role, string> = new Map([...ROLES].map(([name, role]) => [role, name]));

/** Returns a role's name in policies, such as `roles/viewer`. */
export function roleName(role: Role): string {
  const name = NAMES.get(role);
  if (name === undefined) throw new Error(`role ${role} is not part of policies`);
  return name;
}

/** A role with its members, as in an IAM policy. */
export interface Binding {
  readonly role: string;
  readonly members: readonly string[];
}

/** A member's identity: a principal's name, from any issuer or from one, or a subject of one issuer. */
export type MemberIdentity =
  | { readonly name: string; readonly issuer?: string }
  | { readonly issuer: string; readonly subject: string };

/**
 * Returns the policy member for a principal name. An email address becomes a user, and any other name becomes a subject
 * of its issuer.
 */
export const memberOf = (name: string, issuer: string): string =>
  EMAIL.test(name) ? `user:${name}` : `principal:${issuer}#${name}`;

const EMAIL = /^[^\s@:#]{1,64}@[^\s@:#]{1,190}$/;
const MEMBER = /^(user|serviceAccount|principal):(.+)$/s;

/** Returns a member's identity; `undefined` if it is malformed. */
export function identityOf(member: string): MemberIdentity | undefined {
  const [, type, id = ""] = MEMBER.exec(member) ?? [];
  if (type === undefined || /[\p{Cc}\p{Surrogate}]/u.test(id)) return undefined;
  if (type !== "principal") return EMAIL.test(id) ? { name: id } : undefined;
  // A subject can contain a number sign. An issuer is a URL or a host name, and cannot contain one.
  const hash = id.indexOf("#");
  const [issuer, subject] = [id.slice(0, hash), id.slice(hash + 1)];
  const isValid =
    hash > 0 && subject !== "" && id.length <= 2 * MAX_PRINCIPAL && subject.length <= MAX_PRINCIPAL;
  return isValid ? { issuer, subject } : undefined;
}

/**
 * Returns all roles in a policy, with their members in short form. Each role and member appears once, and both are
 * sorted.
 */
export function sortedBindings(bindings: readonly Binding[]): readonly Binding[] {
  const members = new Map<string, Set<string>>();
  for (const { role, members: added } of bindings) {
    const all = members.get(role) ?? new Set();
    for (const member of added) all.add(member);
    members.set(role, all);
  }
  return [...members]
    .filter(([, all]) => all.size > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([role, all]) => ({ role, members: [...all].sort() }));
}

/** Returns each pair of role and member in the bindings, as a string that can be compared. */
export const grantsOf = (bindings: readonly Binding[]): ReadonlySet<string> =>
  new Set(bindings.flatMap(({ role, members }) => members.map((member) => `${role} ${member}`)));

export function roleOf({ role }: Binding): Role {
  const known = ROLES.get(role);
  if (known === undefined) throw new Error(`a stored policy has the role ${role}`);
  return known;
}

const MEMBER_FORM =
  "must be user:EMAIL, serviceAccount:EMAIL or principal:ISSUER#SUBJECT, such as user:ada@example.com";

/**
 * Checks requested bindings.
 *
 * @param isKnown returns true for members that the config file defines, which may have another form.
 * @throws ApiError `INVALID_ARGUMENT` with a violation for each invalid role and member.
 */
export function checkBindings(
  bindings: readonly Binding[],
  isKnown: (role: string, member: string) => boolean,
): readonly Binding[] {
  const violations = new ParameterViolations();
  let [count, length] = [0, 0];
  for (const [index, { role, members }] of bindings.entries()) {
    const path = `policy.bindings[${index}]`;
    count += members.length;
    if (!ROLES.has(role)) {
      const problem = role === "" ? "it is missing" : `there is no role ${excerpt(role)}`;
      violations.add("UNKNOWN_ROLE", `${path}.role`, `${problem}; use ${[...ROLES.keys()].join(", ")}`);
    }
    for (const [position, member] of members.entries()) {
      length += member.length;
      if (isKnown(role, member)) continue;
      const field = `${path}.members[${position}]`;
      if (member === "allUsers" || member === "allAuthenticatedUsers") {
        violations.add("PUBLIC_MEMBER", field, `${member} is not allowed: name each member`);
      } else if (identityOf(member) === undefined) {
        violations.add("INVALID_MEMBER", field, `${excerpt(JSON.stringify(member))} ${MEMBER_FORM}`);
      }
    }
  }
  if (count > MAX_POLICY_MEMBERS) {
    const description = `has ${count} members; the maximum is ${MAX_POLICY_MEMBERS}`;
    throw ApiError.invalidArgument("TOO_MANY_MEMBERS", "policy.bindings", description);
  }
  if (length > MAX_POLICY_LENGTH) {
    const description = `has members of ${length} characters together; the maximum is ${MAX_POLICY_LENGTH}`;
    throw ApiError.invalidArgument("POLICY_TOO_LARGE", "policy.bindings", description);
  }
  violations.throwIfAny();
  return sortedBindings(bindings);
}
