import { type DescMethod, getOption } from "@bufbuild/protobuf";
import type { ScopeNames } from "../auth/scopes.js";
import { authorization, Role, type Scope } from "../gen/waybill/auth/v1/authorization_pb.js";

/** Requirements for callers of a method, from the contract. */
export interface Requirement {
  /** Full names of the scopes of which the token must have one. */
  readonly scopes: readonly string[];
  /** Lowest sufficient role on a project; undefined if no role is required. */
  readonly role: string | undefined;
  /**
   * True if the call covers every project on which the caller has the role. False if it names one project.
   */
  readonly everyProject: boolean;
}

/** Reads the requirements for callers of a method. */
export function requirementOf(method: DescMethod, names: ScopeNames): Requirement {
  const { anyScope, role, everyProject } = getOption(method, authorization);
  return {
    scopes: anyScope.map((scope) => names.nameOf(scope)),
    role: role === Role.ROLE_UNSPECIFIED ? undefined : Role[role].toLowerCase(),
    everyProject,
  };
}

/** Returns all scopes that any of the methods accepts, in the order of the contract. */
export function scopesOf(methods: readonly DescMethod[]): Scope[] {
  const scopes = methods.flatMap((method) => getOption(method, authorization).anyScope);
  return [...new Set(scopes)].sort((a, b) => a - b);
}
