import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { AppCaller, Caller, EveryProjectCaller } from "../api/caller.js";
import type { Admission, Authorize } from "../api/service.js";
import { type AccessControl, ANY_PROJECT } from "./access-control.js";
import { scopeInsufficient } from "./auth-errors.js";
import {
  type MethodRequirement,
  methodRequirement,
  type PrincipalRequirement,
} from "./method-requirement.js";
import type { TokenPrincipal } from "./principal.js";
import type { RateLimiter } from "./rate-limiter.js";
import type { ScopeNames } from "./scopes.js";
import type { Authenticator } from "./tokens/authenticator.js";

export interface CallAuthorizerParts {
  readonly authenticator: Authenticator;
  readonly scopeNames: ScopeNames;
  readonly accessControl: AccessControl;
  /** Limits each principal's requests. If omitted, requests are not limited. */
  readonly rateLimiter?: RateLimiter | undefined;
  /**
   * Limits the requests of apps, which have no token: per remote network, and per app. If omitted, requests are not
   * limited.
   */
  readonly appLimiters?: { readonly network: RateLimiter; readonly app: RateLimiter } | undefined;
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
  readonly authorize: Authorize<Caller> = (method, header, networkOf) => {
    const requirement = this.#requirements.get(method);
    if (requirement === undefined) throw new Error(`${method} is not a method of an annotated service`);
    if (requirement.appCaller) return this.#whenUpToDate(this.#admitApp(networkOf));
    const principal = this.#parts.authenticator.authenticate(header, networkOf);
    return principal instanceof Promise
      ? principal.then((verified) => this.#whenUpToDate(this.#admit(verified, requirement, networkOf)))
      : this.#whenUpToDate(this.#admit(principal, requirement, networkOf));
  };

  /** Returns an admission once this process knows all role changes that were made until a second ago. */
  #whenUpToDate(admission: Admission<Caller>): Admission<Caller> | Promise<Admission<Caller>> {
    return this.#parts.accessControl.upToDate()?.then(() => admission) ?? admission;
  }

  #admitApp(networkOf: () => string): Admission<AppCaller> {
    const { appLimiters, accessControl } = this.#parts;
    const budgetKey = networkOf();
    appLimiters?.network.take(budgetKey);
    return (resource) => {
      const project = accessControl.projectOfDevice(resource);
      appLimiters?.app.take(`${project.number}/${resource.idIn("apps")}`);
      return { kind: "app", budgetKey, networkOf, project };
    };
  }

  #admit(
    principal: TokenPrincipal,
    { anyScope, scopeNames, role, on }: PrincipalRequirement,
    networkOf: () => string,
  ): Admission<Caller> {
    const { rateLimiter, accessControl } = this.#parts;
    const { id: budgetKey } = principal;
    rateLimiter?.take(budgetKey);
    if (!anyScope.some((scope) => principal.scopes.has(scope))) throw scopeInsufficient(scopeNames);
    const caller = { budgetKey, networkOf, principal };
    const everyProject = (): EveryProjectCaller => ({
      ...caller,
      kind: "everyProject",
      projectsAfter: (after, limit) => accessControl.projectsAfter(principal, role, after, limit),
    });
    return (resource) => {
      if (on === "everyProject") return everyProject();
      if (on === "projectOrEvery" && resource.idIn("projects") === ANY_PROJECT) return everyProject();
      if (on === "none") return { ...caller, kind: "principal" };
      if (on === "allProjects") {
        accessControl.authorizeEverywhere(principal, role);
        return { ...caller, kind: "principal" };
      }
      const authorize = () => accessControl.authorize(principal, role, resource);
      const recheckAccess = async (): Promise<void> => {
        await accessControl.upToDate();
        authorize();
      };
      return { ...caller, kind: "project", project: authorize(), recheckAccess };
    };
  }
}
