import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { authorization, Role, type Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import { httpBindings } from "../transcoding/http-rule.js";
import type { PathTemplate } from "../transcoding/path-template.js";
import type { ScopeNames } from "./scopes.js";

/** Requirements for a principal to call a method. */
export interface PrincipalRequirement {
  readonly appCaller: false;
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

/** Requirements for callers, from `waybill.auth.v1.authorization` in the contract. */
export type MethodRequirement = PrincipalRequirement | { readonly appCaller: true };

/** @throws Error with the method name if the contract omits its requirements or contradicts itself. */
export function methodRequirement(method: DescMethod, names: ScopeNames): MethodRequirement {
  const { anyScope, role, everyProject, appCaller } = getOption(method, authorization);
  const isOfPrincipal = anyScope.length > 0 || role !== Role.ROLE_UNSPECIFIED || everyProject;
  if (appCaller && isOfPrincipal) throw new Error(`${method} is for apps, and must require nothing else`);
  if (!appCaller && (anyScope.length === 0 || role === Role.ROLE_UNSPECIFIED)) {
    throw new Error(`${method} must declare its scopes and role with waybill.auth.v1.authorization`);
  }
  const named = httpBindings(method).map(({ template }) => namesProject(template));
  if (everyProject && named.includes(true)) {
    throw new Error(`${method} is in every project, but its path names one`);
  }
  // gRPC calls are authorized by the project that the HTTP path would contain.
  if (!everyProject && (named.length === 0 || named.includes(false))) {
    throw new Error(`${method} is in one project, but not each of its paths names a project`);
  }
  if (appCaller) return { appCaller };
  const scopeNames = anyScope.map((scope) => names.nameOf(scope));
  return { appCaller, anyScope, scopeNames, role, everyProject };
}

const namesProject = ({ segments, variables }: PathTemplate): boolean =>
  variables.some(({ start }) => {
    const first = segments[start];
    return first?.kind === "literal" && first.text === "projects";
  });
