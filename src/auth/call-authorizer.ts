import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { AccessControl } from "./access-control.js";
import { scopeInsufficient } from "./auth-errors.js";
import { type MethodRequirement, methodRequirement } from "./method-requirement.js";
import type { Principal } from "./principal.js";
import type { RateLimiter } from "./rate-limiter.js";
import type { ScopeNames } from "./scopes.js";
import type { Authenticator } from "./tokens/authenticator.js";

/** An authorized call in one project. */
export interface ProjectCall<P> {
  readonly principal: Principal;
  readonly project: P;
}

/** An authorized call across projects, with the projects on which the principal has the required role. */
export interface EveryProjectCall<P> {
  readonly principal: Principal;
  /** In registry order; possibly empty. */
  readonly projects: readonly P[];
}

/** An authorized call. The method's `every_project` in the contract decides which kind it is. */
export type AuthorizedCall<P> = ProjectCall<P> | EveryProjectCall<P>;

/**
 * Authorizes the call for its project.
 *
 * @param project Returns the id or number of the project in the request; not called if the call is in every
 *   project.
 * @throws ApiError `PERMISSION_MISSING` if the principal's role on the project is too low.
 */
export type Admit<P> = (project: () => string) => AuthorizedCall<P>;

export interface CallAuthorizerParts<P extends { readonly id: string }> {
  readonly authenticator: Authenticator;
  readonly scopeNames: ScopeNames;
  readonly accessControl: AccessControl<P>;
  /** If omitted, requests are not rate-limited. */
  readonly rateLimiter?: RateLimiter | undefined;
}

/** Authorizes calls of annotated methods by credentials, quota, scope and role, in this order. */
export class CallAuthorizer<P extends { readonly id: string }> {
  readonly #parts: CallAuthorizerParts<P>;
  readonly #requirements = new Map<DescMethod, MethodRequirement>();

  /** @throws Error naming a method whose `waybill.auth.v1.authorization` is missing or inconsistent. */
  constructor(services: readonly DescService[], parts: CallAuthorizerParts<P>) {
    this.#parts = parts;
    for (const method of services.flatMap((service) => service.methods)) {
      this.#requirements.set(method, methodRequirement(method, parts.scopeNames));
    }
  }

  /**
   * Authenticates the caller and checks its quota and the token's scope. Returns synchronously if the token
   * was verified before.
   *
   * @param header The `Authorization` header.
   * @throws ApiError, synchronously or by rejection, as {@link Authenticator.authenticate}; also
   *   `RATE_LIMIT_EXCEEDED` and `ACCESS_TOKEN_SCOPE_INSUFFICIENT`.
   */
  authorize(method: DescMethod, header: string | undefined): Admit<P> | Promise<Admit<P>> {
    const requirement = this.#requirements.get(method);
    if (requirement === undefined) throw new Error(`${method} is of none of the services given at the start`);
    const principal = this.#parts.authenticator.authenticate(header);
    return principal instanceof Promise
      ? principal.then((verified) => this.#admit(verified, requirement))
      : this.#admit(principal, requirement);
  }

  #admit(principal: Principal, requirement: MethodRequirement): Admit<P> {
    const { anyScope, scopeNames, role, everyProject } = requirement;
    const { rateLimiter, accessControl } = this.#parts;
    rateLimiter?.take(principal.id);
    if (!anyScope.some((scope) => principal.scopes.has(scope))) throw scopeInsufficient(scopeNames);
    if (everyProject) return () => ({ principal, projects: accessControl.projectsOf(principal, role) });
    return (project) => ({ principal, project: accessControl.authorize(principal, role, project()) });
  }
}
