import { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import { permissionMissing } from "./auth-errors.js";

/** Gives a principal a role in some projects. */
export interface AccessRule {
  /** The name of the principal, compared exactly. */
  readonly principal: string;
  /** Ids or numbers of projects; `*` stands for every project. */
  readonly projects: readonly string[];
  readonly role: Role;
}

/** The projects that exist. */
export interface ProjectRegistry<P> {
  readonly projects: readonly P[];
  /** Finds a project by its id or its number (AIP-2510). */
  project(idOrNumber: string): P | undefined;
}

interface Grants {
  everywhere: Role;
  readonly byProjectId: Map<string, Role>;
}

/** Who may do what in which project. Nobody may do anything that no rule allows. */
export class AccessControl<P extends { readonly id: string }> {
  readonly #registry: ProjectRegistry<P>;
  readonly #grants = new Map<string, Grants>();

  /** @throws Error naming the rule that is for a project that does not exist. */
  constructor(rules: readonly AccessRule[], registry: ProjectRegistry<P>) {
    this.#registry = registry;
    rules.forEach((rule, ruleIndex) => {
      const grants = this.#grantsOf(rule.principal);
      rule.projects.forEach((name, index) => {
        if (name === "*") {
          grants.everywhere = Math.max(grants.everywhere, rule.role);
          return;
        }
        const id = registry.project(name)?.id;
        if (id === undefined) {
          throw new Error(`access[${ruleIndex}].projects[${index}]: there is no project ${name}`);
        }
        grants.byProjectId.set(id, Math.max(grants.byProjectId.get(id) ?? Role.ROLE_UNSPECIFIED, rule.role));
      });
    });
  }

  /**
   * The project by the name that the caller wrote, if the principal has at least `role` on it.
   *
   * @throws ApiError `PERMISSION_MISSING` otherwise, the same whether or not the project exists.
   */
  authorize(principal: string, role: Role, project: string): P {
    const found = this.#registry.project(project);
    if (found === undefined || this.#roleOn(found, principal) < role) throw permissionMissing(project, role);
    return found;
  }

  /** The projects on which the principal has at least `role`, in the order of the registry; maybe none. */
  projectsOf(principal: string, role: Role): readonly P[] {
    return this.#registry.projects.filter((project) => this.#roleOn(project, principal) >= role);
  }

  #roleOn({ id }: P, principal: string): Role {
    const grants = this.#grants.get(principal);
    if (grants === undefined) return Role.ROLE_UNSPECIFIED;
    return Math.max(grants.everywhere, grants.byProjectId.get(id) ?? Role.ROLE_UNSPECIFIED);
  }

  #grantsOf(principal: string): Grants {
    let grants = this.#grants.get(principal);
    if (grants === undefined) {
      grants = { everywhere: Role.ROLE_UNSPECIFIED, byProjectId: new Map() };
      this.#grants.set(principal, grants);
    }
    return grants;
  }
}
