import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { authorization, Role, type Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import { httpBindings } from "../transcoding/http-rule.js";
import type { PathTemplate } from "../transcoding/path-template.js";
import type { ScopeNames } from "./scopes.js";

/** Requirements for callers of a method, from `waybill.auth.v1.authorization` in the contract. */
export interface MethodRequirement {
  /** The token must have at least one of these scopes. */
  readonly anyScope: readonly Scope[];
  /** Full names of {@link anyScope}. */
  readonly scopeNames: readonly string[];
  /** Lowest sufficient role on a project. */
  readonly role: Role;
  /**
   * True if the call covers every project on which the principal has the role. False if the request names one
   * project.
   */
  readonly everyProject: boolean;
}

/** @throws Error naming the method if the contract omits its requirements or contradicts itself. */
export function methodRequirement(method: DescMethod, names: ScopeNames): MethodRequirement {
  const { anyScope, role, everyProject } = getOption(method, authorization);
  if (!hasOption(method, authorization) || anyScope.length === 0 || role === Role.ROLE_UNSPECIFIED) {
    throw new Error(
      `${method} must state which scopes and role it needs, with waybill.auth.v1.authorization`,
    );
  }
  const named = httpBindings(method).map(({ template }) => namesProject(template));
  if (everyProject && named.includes(true)) {
    throw new Error(`${method} is in every project, but its path names one`);
  }
  // gRPC calls are authorized by the project that the HTTP path would contain.
  if (!everyProject && (named.length === 0 || named.includes(false))) {
    throw new Error(`${method} is in one project, but not each of its paths names a project`);
  }
  return { anyScope, scopeNames: anyScope.map((scope) => names.nameOf(scope)), role, everyProject };
}

const namesProject = ({ segments, variables }: PathTemplate): boolean =>
  variables.some(({ start }) => {
    const first = segments[start];
    return first?.kind === "literal" && first.text === "projects";
  });
