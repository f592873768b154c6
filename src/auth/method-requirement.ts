import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { authorization, Role, type Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import { httpBindings } from "../transcoding/http-rule.js";
import type { PathTemplate } from "../transcoding/path-template.js";
import type { ScopeNames } from "./scopes.js";

export interface PrincipalRequirement {
  readonly appCaller: false;
  /** The projects on which the principal needs the role. */
  readonly on: RoleTarget;
  /** The token needs at least one of these scopes. */
  readonly anyScope: readonly Scope[];
  /** Full names of {@link anyScope}. */
  readonly scopeNames: readonly string[];
  /** The lowest role that is sufficient. */
  readonly role: Role;
}

/**
 * Projects on which a principal needs a role. `project` is the project in the request. `everyProject` are the projects
 * that the call covers, possibly none. `projectOrEvery` is the project in the request, or the covered projects if the
 * request has `-`. With `none`, the method itself checks access.
 */
export type RoleTarget = "project" | "everyProject" | "projectOrEvery" | "allProjects" | "none";

/** Requirements for callers, from `waybill.auth.v1.authorization` in the contract. */
export type MethodRequirement = PrincipalRequirement | { readonly appCaller: true };

/**
 * Reads a method's requirements from the contract.
 *
 * @throws Error with the method name if the requirements are missing or contradictory.
 */
export function methodRequirement(method: DescMethod, names: ScopeNames): MethodRequirement {
  const { anyScope, role, everyProject, appCaller, allProjects, anyPrincipal, projectWildcard } = getOption(
    method,
    authorization,
  );
  const targets = { everyProject, allProjects, projectOrEvery: projectWildcard, none: anyPrincipal };
  const declared = (Object.keys(targets) as (keyof typeof targets)[]).filter((target) => targets[target]);
  const [on = "project"] = declared;
  const hasRole = role !== Role.ROLE_UNSPECIFIED;
  if (appCaller && (anyScope.length > 0 || hasRole || declared.length > 0))
    throw new Error(`${method} is for apps, so it must not require scopes or a role`);
  if (!appCaller && (anyScope.length === 0 || hasRole === anyPrincipal || declared.length > 1)) {
    throw new Error(`${method} must declare its scopes and role with waybill.auth.v1.authorization`);
  }
  const named = httpBindings(method).map(({ template }) => namesProject(template));
  if (everyProject && named.includes(true)) {
    throw new Error(`${method} applies to every project, but its path names one`);
  }
  // A gRPC request has no path. Its project is the one that the HTTP path would contain.
  const needsProject = appCaller || on === "project" || on === "projectOrEvery";
  if (needsProject && (named.length === 0 || named.includes(false))) {
    throw new Error(`${method} applies to one project, but not each of its paths names a project`);
  }
  if (appCaller) return { appCaller };
  const scopeNames = anyScope.map((scope) => names.nameOf(scope));
  return { appCaller, anyScope, scopeNames, role, on };
}

const namesProject = ({ segments, variables }: PathTemplate): boolean =>
  variables.some(({ start }) => {
    const first = segments[start];
    return first?.kind === "literal" && first.text === "projects";
  });
