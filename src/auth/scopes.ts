import { Scope } from "../gen/waybill/auth/v1/authorization_pb.js";

/** The scope base unless the configuration names another. */
export const DEFAULT_SCOPE_BASE = "https://www.googleapis.com/auth";

/** Last segment of each scope's name: the one of specification 5 first, then what public clients also send. */
const SEGMENTS: ReadonlyMap<Scope, readonly [string, ...string[]]> = new Map([
  [Scope.PLATFORM, ["platform", "cloud-platform"]],
  [Scope.APP_PLATFORM, ["app-platform", "firebase"]],
]);

/** The full names of the scopes under one scope base. */
export class ScopeNames {
  readonly #nameOf = new Map<Scope, string>();
  readonly #scopeOf = new Map<string, Scope>();

  /** @param base what stands before `/platform`, with or without a slash at its end. */
  constructor(base: string = DEFAULT_SCOPE_BASE) {
    const prefix = base.replace(/\/+$/, "");
    for (const [scope, segments] of SEGMENTS) {
      this.#nameOf.set(scope, `${prefix}/${segments[0]}`);
      for (const segment of segments) this.#scopeOf.set(`${prefix}/${segment}`, scope);
    }
  }

  /** The full name of a scope, such as `https://www.googleapis.com/auth/platform`. */
  nameOf(scope: Scope): string {
    const name = this.#nameOf.get(scope);
    if (name === undefined) throw new Error(`scope ${scope} has no name`);
    return name;
  }

  /** Every full name of every scope. */
  get all(): readonly string[] {
    return [...this.#scopeOf.keys()];
  }

  /** The scope with this full name; `undefined` for names that mean nothing here. */
  scopeOf(name: string): Scope | undefined {
    return this.#scopeOf.get(name);
  }

  /** The scopes among full names; names of other scopes mean nothing here. */
  scopesIn(names: Iterable<string>): ReadonlySet<Scope> {
    const scopes = new Set<Scope>();
    for (const name of names) {
      const scope = this.#scopeOf.get(name);
      if (scope !== undefined) scopes.add(scope);
    }
    return scopes;
  }
}
