import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { AppCaller, Caller, EveryProjectCaller, Principal } from "../api/caller.js";
import { appNotFound } from "../api/errors.js";
import type { Admission, Authorize, ResourceName } from "../api/service.js";
import { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import type { PrincipalCalls } from "../limits/principal-calls.js";
import type { Project } from "../model/names.js";
import type { Registry } from "../registry/registry.js";
import { permissionMissing, permissionMissingEverywhere, scopeInsufficient } from "./auth-errors.js";
import {
  type MethodRequirement,
  methodRequirement,
  type PrincipalRequirement,
} from "./method-requirement.js";
import type { TokenPrincipal } from "./principal.js";
import type { RateLimiter } from "./rate-limiter.js";
import type { ScopeNames } from "./scopes.js";
import type { Authenticator } from "./tokens/authenticator.js";

/**
 * Used instead of a project id, stands for all projects or, in a name with an app id, for that app's project
 * (AIP-159).
 */
const ANY_PROJECT = "-";

/** Collections of apps that get their id from the server. */
const APP_COLLECTIONS = ["iosApps", "androidApps", "webApps"] as const;

/** Registry methods that authorization uses. */
type AccessRegistry = Pick<
  Registry,
  "app" | "project" | "projectOfApp" | "roleOn" | "roleEverywhere" | "projectsWithRole" | "upToDate"
>;

export interface CallAuthorizerParts {
  readonly authenticator: Authenticator;
  readonly scopeNames: ScopeNames;
  /** Projects, apps and roles. Access is denied unless a rule or a policy in it allows the call. */
  readonly registry: AccessRegistry;
  /** Limits each principal's requests. If omitted, requests are not limited. */
  readonly rateLimiter?: RateLimiter | undefined;
  /**
   * Limits the requests of apps, which have no token: per remote network, and per app. If omitted, requests are not
   * limited.
   */
  readonly appLimiters?: { readonly network: RateLimiter; readonly app: RateLimiter } | undefined;
  /** Receives each admitted call that needs the role viewer. Imports need the role editor. */
  readonly principalCalls?: Pick<PrincipalCalls, "add">;
}

/** Authorizes calls. Checks credentials, quota, scope and role, in this order, as the method's annotations require. */
export class CallAuthorizer {
  readonly #parts: CallAuthorizerParts;
  readonly #requirements = new Map<DescMethod, MethodRequirement>();

  /** @throws Error with the method name if its option `waybill.auth.v1.authorization` is missing or inconsistent. */
  constructor(services: readonly DescService[], parts: CallAuthorizerParts) {
    this.#parts = parts;
    for (const method of services.flatMap((service) => service.methods)) {
      this.#requirements.set(method, methodRequirement(method, parts.scopeNames));
    }
  }

  /**
   * Authenticates the caller, and checks the caller's quota and the token's scope. Returns synchronously if the token
   * was verified before. For methods in one project, the returned admission then checks the role on the project in the
   * path.
   *
   * @throws ApiError, synchronously or by rejection: the errors of {@link Authenticator.authenticate},
   * `RATE_LIMIT_EXCEEDED` and `ACCESS_TOKEN_SCOPE_INSUFFICIENT`. The admission throws `PERMISSION_MISSING` if the
   * principal's role on the project is too low.
   */
  readonly authorize: Authorize<Caller> = (method, header, networkOf, isRepeated = false) => {
    const requirement = this.#requirements.get(method);
    if (requirement === undefined) throw new Error(`${method} is not a method of an annotated service`);
    if (requirement.appCaller) return this.#whenUpToDate(this.#admitApp(networkOf));
    const principal = this.#parts.authenticator.authenticate(header, networkOf);
    return principal instanceof Promise
      ? principal.then((verified) =>
          this.#whenUpToDate(this.#admit(verified, requirement, networkOf, isRepeated)),
        )
      : this.#whenUpToDate(this.#admit(principal, requirement, networkOf, isRepeated));
  };

  /** Returns an admission once this process knows all role changes that were made until a second ago. */
  #whenUpToDate(admission: Admission<Caller>): Admission<Caller> | Promise<Admission<Caller>> {
    return this.#parts.registry.upToDate()?.then(() => admission) ?? admission;
  }

  #admitApp(networkOf: () => string): Admission<AppCaller> {
    const { appLimiters, registry } = this.#parts;
    const budgetKey = networkOf();
    appLimiters?.network.take(budgetKey);
    return (resource) => {
      const project = projectOfDevice(registry, resource);
      appLimiters?.app.take(`${project.number}/${resource.idIn("apps")}`);
      return { kind: "app", budgetKey, networkOf, project };
    };
  }

  #admit(
    principal: TokenPrincipal,
    { anyScope, scopeNames, role, on }: PrincipalRequirement,
    networkOf: () => string,
    isRepeated: boolean,
  ): Admission<Caller> {
    const { rateLimiter, registry, principalCalls } = this.#parts;
    const { id: budgetKey } = principal;
    if (!isRepeated) rateLimiter?.take(budgetKey);
    if (!anyScope.some((scope) => principal.scopes.has(scope))) throw scopeInsufficient(scopeNames);
    const callerIn: Admission<Caller> = (resource) => {
      if (on === "none" || on === "allProjects") {
        if (on === "allProjects") requireRoleEverywhere(registry, principal, role);
        return { kind: "principal", budgetKey, networkOf, principal };
      }
      if (on === "everyProject" || (on === "projectOrEvery" && resource.idIn("projects") === ANY_PROJECT)) {
        const projectsAfter: EveryProjectCaller["projectsAfter"] = (after, limit) =>
          registry.projectsWithRole(principal, role, after, limit);
        return { kind: "everyProject", budgetKey, networkOf, principal, projectsAfter };
      }
      const project = authorizedProject(registry, principal, role, resource);
      const recheckAccess = async (): Promise<void> => {
        await registry.upToDate();
        authorizedProject(registry, principal, role, resource);
      };
      return { kind: "project", budgetKey, networkOf, principal, project, recheckAccess };
    };
    return (resource) => {
      const caller = callerIn(resource);
      if (role === Role.VIEWER && !isRepeated) principalCalls?.add();
      return caller;
    };
  }
}

/**
 * Returns the project in a resource name if the principal has at least `role` on it. If the name has the project `-`,
 * returns the app's project.
 *
 * @throws ApiError `PERMISSION_MISSING` if the role is too low or the project does not exist. The error is identical in
 * both cases.
 */
export function authorizedProject(
  registry: AccessRegistry,
  principal: Principal,
  role: Role,
  resource: ResourceName,
): Project {
  const name = resource.idIn("projects");
  const found = name === ANY_PROJECT ? projectOfApp(registry, resource) : registry.project(name);
  if (found === undefined || registry.roleOn(principal, found.number) < role) {
    throw permissionMissing(name, role);
  }
  return found;
}

function projectOfApp(registry: AccessRegistry, resource: ResourceName): Project | undefined {
  const appId = APP_COLLECTIONS.map((name) => resource.findIn(name)).find((id) => id !== undefined);
  return appId === undefined ? undefined : registry.projectOfApp(appId);
}

/** Checks that the principal has at least `role` on all projects. @throws ApiError `PERMISSION_MISSING` otherwise. */
export function requireRoleEverywhere(registry: AccessRegistry, principal: Principal, role: Role): void {
  if (registry.roleEverywhere(principal) < role) throw permissionMissingEverywhere(role);
}

/**
 * Returns a registered app's project, for devices, which have no role.
 *
 * @throws ApiError `RESOURCE_NOT_FOUND`, identical for an unknown project and an unknown app.
 */
function projectOfDevice(registry: AccessRegistry, resource: ResourceName): Project {
  const [name, appId] = [resource.idIn("projects"), resource.idIn("apps")];
  const project = registry.project(name);
  if (project === undefined || registry.app(project.number, appId) === undefined)
    throw appNotFound(name, appId);
  return project;
}
