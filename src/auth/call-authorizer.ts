import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { AccessControl } from "./access-control.js";
import { scopeInsufficient } from "./auth-errors.js";
import { type MethodRequirement, methodRequirement } from "./method-requirement.js";
import type { Principal } from "./principal.js";
import type { RateLimiter } from "./rate-limiter.js";
import type { ScopeNames } from "./scopes.js";
import type { Authenticator } from "./tokens/authenticator.js";

/** A call in one project that may go on: who makes it, and in which project. */
export interface ProjectCall<P> {
  readonly principal: Principal;
  readonly project: P;
}

/** A call in every project that may go on: who makes it, and the projects on which the principal has the role. */
export interface EveryProjectCall<P> {
  readonly principal: Principal;
  /** In the order of the registry; maybe none. */
  readonly projects: readonly P[];
}

/** A call that may go on. Which of both it is the contract says of each method (`every_project`). */
export type AuthorizedCall<P> = ProjectCall<P> | EveryProjectCall<P>;

/**
 * Admits the call.
 *
 * @param project tells which project the request names, by its id or number; not asked if the call is in every project.
 * @throws ApiError `PERMISSION_MISSING` if the principal has too small a role on it.
 */
export type Admit<P> = (project: () => string) => AuthorizedCall<P>;

/** What a {@link CallAuthorizer} decides by. */
export interface CallAuthorizerParts<P extends { readonly id: string }> {
  readonly authenticator: Authenticator;
  readonly scopeNames: ScopeNames;
  readonly accessControl: AccessControl<P>;
  /** Without one, requests are not limited. */
  readonly rateLimiter?: RateLimiter | undefined;
}

/** Decides whether a call of an annotated method may go on: credentials, then quota, scope and role, in this order. */
export class CallAuthorizer<P extends { readonly id: string }> {
  readonly #parts: CallAuthorizerParts<P>;
  readonly #requirements = new Map<DescMethod, MethodRequirement>();

  /** @throws Error naming a method whose `waybill.auth.v1.authorization` is missing or makes no sense. */
  constructor(services: readonly DescService[], parts: CallAuthorizerParts<P>) {
    this.#parts = parts;
    for (const method of services.flatMap((service) => service.methods)) {
      this.#requirements.set(method, methodRequirement(method, parts.scopeNames));
    }
  }

  /**
   * Finds out who calls, and whether the token has the scope. The answer is there at once when the token was verified
   * before.
   *
   * @param header the `Authorization` header.
   * @throws ApiError, at once or by the promise, as {@link Authenticator.authenticate}, and `RATE_LIMIT_EXCEEDED` or
   *   `ACCESS_TOKEN_SCOPE_INSUFFICIENT`.
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
