import { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import { permissionMissing } from "./auth-errors.js";
import { type Principal, principalId } from "./principal.js";

/** Gives a principal a role in some projects. */
export interface AccessRule {
  /** The name of the principal, compared exactly. */
  readonly principal: string;
  /** The issuer that must have named it so; any, unless given. */
  readonly issuer?: string | undefined;
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

/** What rules know a principal by. */
type Named = Pick<Principal, "name" | "id">;

/** Who may do what in which project. Nobody may do anything that no rule allows. */
export class AccessControl<P extends { readonly id: string }> {
  readonly #registry: ProjectRegistry<P>;
  /** By rules for a name, whoever gives it. */
  readonly #byName = new Map<string, Grants>();
  /** By rules for a name that one issuer gives. */
  readonly #byId = new Map<string, Grants>();

  /** @throws Error naming the rule that is for a project that does not exist. */
  constructor(rules: readonly AccessRule[], registry: ProjectRegistry<P>) {
    this.#registry = registry;
    rules.forEach((rule, ruleIndex) => {
      const grants = this.#grantsOf(rule);
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
  authorize(principal: Named, role: Role, project: string): P {
    const found = this.#registry.project(project);
    if (found === undefined || this.#roleOn(found, principal) < role) throw permissionMissing(project, role);
    return found;
  }

  /** The projects on which the principal has at least `role`, in the order of the registry; maybe none. */
  projectsOf(principal: Named, role: Role): readonly P[] {
    return this.#registry.projects.filter((project) => this.#roleOn(project, principal) >= role);
  }

  #roleOn({ id: projectId }: P, { name, id }: Named): Role {
    return Math.max(roleIn(this.#byName.get(name), projectId), roleIn(this.#byId.get(id), projectId));
  }

  #grantsOf({ principal, issuer }: AccessRule): Grants {
    const all = issuer === undefined ? this.#byName : this.#byId;
    const key = issuer === undefined ? principal : principalId(issuer, principal);
    let grants = all.get(key);
    if (grants === undefined) {
      grants = { everywhere: Role.ROLE_UNSPECIFIED, byProjectId: new Map() };
      all.set(key, grants);
    }
    return grants;
  }
}

function roleIn(grants: Grants | undefined, projectId: string): Role {
  if (grants === undefined) return Role.ROLE_UNSPECIFIED;
  return Math.max(grants.everywhere, grants.byProjectId.get(projectId) ?? Role.ROLE_UNSPECIFIED);
}
