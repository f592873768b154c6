import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { AppCaller, Caller } from "../api/caller.js";
import type { Admission, Authorize } from "../api/service.js";
import type { AccessControl } from "./access-control.js";
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
  /** If omitted, requests are not rate-limited. */
  readonly rateLimiter?: RateLimiter | undefined;
}

/** Authorizes calls of annotated methods by credentials, quota, scope and role, in this order. */
export class CallAuthorizer {
  readonly #parts: CallAuthorizerParts;
  readonly #requirements = new Map<DescMethod, MethodRequirement>();

  /** @throws Error naming a method with missing or inconsistent `waybill.auth.v1.authorization`. */
  constructor(services: readonly DescService[], parts: CallAuthorizerParts) {
    this.#parts = parts;
    for (const method of services.flatMap((service) => service.methods)) {
      this.#requirements.set(method, methodRequirement(method, parts.scopeNames));
    }
  }

  /**
   * Authenticates the caller and checks its quota and the token's scope. Returns synchronously if the token was
   * verified before. The admission then checks the role on the project in the path, for methods in one project.
   *
   * @throws ApiError, synchronously or by rejection, as {@link Authenticator.authenticate}; also
   *   `RATE_LIMIT_EXCEEDED` and `ACCESS_TOKEN_SCOPE_INSUFFICIENT`. The admission throws `PERMISSION_MISSING` if the
   *   principal's role on the project is too low.
   */
  readonly authorize: Authorize<Caller> = (method, header, networkOf) => {
    const requirement = this.#requirements.get(method);
    if (requirement === undefined) throw new Error(`${method} is not a method of an annotated service`);
    if (requirement.appCaller) return this.#admitApp(networkOf());
    const principal = this.#parts.authenticator.authenticate(header, networkOf);
    return principal instanceof Promise
      ? principal.then((verified) => this.#admit(verified, requirement))
      : this.#admit(principal, requirement);
  };

  #admitApp(budgetKey: string): Admission<AppCaller> {
    const { rateLimiter, accessControl } = this.#parts;
    rateLimiter?.take(budgetKey);
    return (resource) => ({
      kind: "app",
      budgetKey,
      project: accessControl.projectNamed(resource.idIn("projects")),
    });
  }

  #admit(principal: TokenPrincipal, requirement: PrincipalRequirement): Admission<Caller> {
    const { anyScope, scopeNames, role, everyProject } = requirement;
    const { rateLimiter, accessControl } = this.#parts;
    const { id: budgetKey } = principal;
    rateLimiter?.take(budgetKey);
    if (!anyScope.some((scope) => principal.scopes.has(scope))) throw scopeInsufficient(scopeNames);
    if (everyProject) {
      return () => ({
        kind: "everyProject",
        budgetKey,
        principal,
        projects: accessControl.projectsOf(principal, role),
      });
    }
    return (resource) => {
      const project = accessControl.authorize(principal, role, resource.idIn("projects"));
      return { kind: "project", budgetKey, principal, project };
    };
  }
}
