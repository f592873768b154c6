import { type DescMethod, getOption } from "@bufbuild/protobuf";
import type { ScopeNames } from "../auth/scopes.js";
import { authorization, Role, type Scope } from "../gen/waybill/auth/v1/authorization_pb.js";

/** What a caller of a method needs, as the contract says. */
export interface Requirement {
  /** Full names of the scopes of which the token must have one. */
  readonly scopes: readonly string[];
  /** The least role on a project; undefined if none is asked for. */
  readonly role: string | undefined;
  /** Whether the call is in every project on which the caller has the role, in place of one that it names. */
  readonly everyProject: boolean;
}

/** Reads what callers of a method need. */
export function requirementOf(method: DescMethod, names: ScopeNames): Requirement {
  const { anyScope, role, everyProject } = getOption(method, authorization);
  return {
    scopes: anyScope.map((scope) => names.nameOf(scope)),
    role: role === Role.ROLE_UNSPECIFIED ? undefined : Role[role].toLowerCase(),
    everyProject,
  };
}

/** The scopes that any of the methods takes, in the order of the contract. */
export function scopesOf(methods: readonly DescMethod[]): Scope[] {
  const scopes = methods.flatMap((method) => getOption(method, authorization).anyScope);
  return [...new Set(scopes)].sort((a, b) => a - b);
}
