import { Scope } from "../gen/waybill/auth/v1/authorization_pb.js";

export const DEFAULT_SCOPE_BASE = "https://www.googleapis.com/auth";

/**
 * Last segments of scope names. The first is the name in specification 5, the second the name that public clients send.
 */
const SEGMENTS: ReadonlyMap<Scope, readonly [string, ...string[]]> = new Map([
  [Scope.PLATFORM, ["platform", "cloud-platform"]],
  [Scope.APP_PLATFORM, ["app-platform", "firebase"]],
]);

/** Full names of scopes, under a common prefix. */
export class ScopeNames {
  readonly #nameOf = new Map<Scope, string>();
  readonly #scopeOf = new Map<string, Scope>();

  /** @param base prefix of names such as `/platform`, with or without a trailing slash. */
  constructor(base: string = DEFAULT_SCOPE_BASE) {
    const prefix = base.replace(/\/+$/, "");
    for (const [scope, segments] of SEGMENTS) {
      this.#nameOf.set(scope, `${prefix}/${segments[0]}`);
      for (const segment of segments) this.#scopeOf.set(`${prefix}/${segment}`, scope);
    }
  }

  /** Returns the full name of a scope, such as `https://www.googleapis.com/auth/platform`. */
  nameOf(scope: Scope): string {
    const name = this.#nameOf.get(scope);
    if (name === undefined) throw new Error(`scope ${scope} has no name`);
    return name;
  }

  /** The full names of all scopes, including alternative names. */
  get all(): readonly string[] {
    return [...this.#scopeOf.keys()];
  }

  /** Returns the scope with this full name. Returns `undefined` for an unknown name. */
  scopeOf(name: string): Scope | undefined {
    return this.#scopeOf.get(name);
  }

  /** Returns the scopes with these full names. Ignores unknown names. */
  scopesIn(names: Iterable<string>): ReadonlySet<Scope> {
    const scopes = new Set<Scope>();
    for (const name of names) {
      const scope = this.#scopeOf.get(name);
      if (scope !== undefined) scopes.add(scope);
    }
    return scopes;
  }
}
