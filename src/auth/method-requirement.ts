import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { authorization, Role, type Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import { httpBindings } from "../transcoding/http-rule.js";
import type { PathTemplate } from "../transcoding/path-template.js";
import type { ScopeNames } from "./scopes.js";

/** What a caller of a method needs, as the contract says by `waybill.auth.v1.authorization`. */
export interface MethodRequirement {
  /** The token must carry one of them. */
  readonly anyScope: readonly Scope[];
  /** The same by their full names. */
  readonly scopeNames: readonly string[];
  /** The least role on a project. */
  readonly role: Role;
  /** Whether the call is in every project on which the principal has the role, in place of one that the request names. */
  readonly everyProject: boolean;
}

/** @throws Error naming the method if the contract does not say what its callers need, or contradicts itself. */
export function methodRequirement(method: DescMethod, names: ScopeNames): MethodRequirement {
  const { anyScope, role, everyProject } = getOption(method, authorization);
  if (!hasOption(method, authorization) || anyScope.length === 0 || role === Role.ROLE_UNSPECIFIED) {
    throw new Error(`${method} does not say by waybill.auth.v1.authorization which scopes and role it needs`);
  }
  const named = httpBindings(method).map(({ template }) => namesProject(template));
  if (everyProject && named.includes(true)) {
    throw new Error(`${method} is in every project, and yet its path names one`);
  }
  // Calls without a path are authorized by what the path would be.
  if (!everyProject && (named.length === 0 || named.includes(false))) {
    throw new Error(`${method} is in one project, and yet no path or not every one of it names a project`);
  }
  return { anyScope, scopeNames: anyScope.map((scope) => names.nameOf(scope)), role, everyProject };
}

const namesProject = ({ segments, variables }: PathTemplate): boolean =>
  variables.some(({ start }) => {
    const first = segments[start];
    return first?.kind === "literal" && first.text === "projects";
  });
