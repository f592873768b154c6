import { type DescMethod, type DescService, getOption, hasOption } from "@bufbuild/protobuf";
import { authorization, Role, type Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import type { AccessControl } from "./access-control.js";
import { scopeInsufficient } from "./auth-errors.js";
import type { Authenticator } from "./authenticator.js";
import type { Principal } from "./principal.js";
import type { RateLimiter } from "./rate-limiter.js";
import type { ScopeNames } from "./scopes.js";

/** A call that may go on: who makes it, and in which project. */
export interface AuthorizedCall<P> {
  readonly principal: Principal;
  readonly project: P;
}

/**
 * Admits the call to a project, by its id or number.
 *
 * @throws ApiError `PERMISSION_MISSING` if the principal has too small a role on it.
 */
export type AdmitTo<P> = (project: string) => AuthorizedCall<P>;

/** What a {@link CallAuthorizer} decides by. */
export interface CallAuthorizerParts<P extends { readonly id: string }> {
  readonly authenticator: Authenticator;
  readonly scopeNames: ScopeNames;
  readonly accessControl: AccessControl<P>;
  /** Without one, requests are not limited. */
  readonly rateLimiter?: RateLimiter | undefined;
}

interface Requirement {
  readonly anyScope: readonly Scope[];
  readonly scopeNames: readonly string[];
  readonly role: Role;
}

/** Decides whether a call of an annotated method may go on: credentials, then quota, scope and role, in this order. */
export class CallAuthorizer<P extends { readonly id: string }> {
  readonly #parts: CallAuthorizerParts<P>;
  readonly #requirements = new Map<DescMethod, Requirement>();

  /** @throws Error when a method does not say by `waybill.auth.v1.authorization` what its callers need. */
  constructor(services: readonly DescService[], parts: CallAuthorizerParts<P>) {
    this.#parts = parts;
    for (const method of services.flatMap((service) => service.methods)) {
      this.#requirements.set(method, requirementOf(method, parts.scopeNames));
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
  authorize(method: DescMethod, header: string | undefined): AdmitTo<P> | Promise<AdmitTo<P>> {
    const requirement = this.#requirements.get(method);
    if (requirement === undefined) throw new Error(`${method} is of none of the services given at the start`);
    const principal = this.#parts.authenticator.authenticate(header);
    return principal instanceof Promise
      ? principal.then((verified) => this.#admit(verified, requirement))
      : this.#admit(principal, requirement);
  }

  #admit(principal: Principal, { anyScope, scopeNames, role }: Requirement): AdmitTo<P> {
    const { rateLimiter, accessControl } = this.#parts;
    rateLimiter?.take(principal.name);
    if (!anyScope.some((scope) => principal.scopes.has(scope))) throw scopeInsufficient(scopeNames);
    return (project) => ({ principal, project: accessControl.authorize(principal.name, role, project) });
  }
}

function requirementOf(method: DescMethod, names: ScopeNames): Requirement {
  const { anyScope, role } = getOption(method, authorization);
  if (!hasOption(method, authorization) || anyScope.length === 0 || role === Role.ROLE_UNSPECIFIED) {
    throw new Error(`${method} does not say by waybill.auth.v1.authorization which scopes and role it needs`);
  }
  return { anyScope, scopeNames: anyScope.map((scope) => names.nameOf(scope)), role };
}
