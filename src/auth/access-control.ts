import type { Principal } from "../api/caller.js";
import type { ProjectRegistry } from "../control/project-registry.js";
import { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import type { Project } from "../model/names.js";
import { permissionMissing, projectNotFound } from "./auth-errors.js";
import { principalId } from "./principal.js";

/** Grants a principal a role on projects. */
export interface AccessRule {
  /** Name of the principal, compared exactly. */
  readonly principal: string;
  /** Issuer of the principal's name; any issuer if omitted. */
  readonly issuer?: string | undefined;
  /** Project ids or numbers; `*` means every project. */
  readonly projects: readonly string[];
  readonly role: Role;
}

interface Grants {
  everywhere: Role;
  readonly byProjectId: Map<string, Role>;
}

/** Principal properties that rules refer to. */
type Named = Pick<Principal, "name" | "id">;

/** Roles of principals on projects. Anything that no rule allows is denied. */
export class AccessControl {
  readonly #registry: ProjectRegistry<Project>;
  /** Grants by principal name, from any issuer. */
  readonly #byName = new Map<string, Grants>();
  /** Grants by principal id, from rules that name an issuer. */
  readonly #byId = new Map<string, Grants>();

  /** @throws Error naming a rule for a project that does not exist. */
  constructor(rules: readonly AccessRule[], registry: ProjectRegistry<Project>) {
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
   * Returns the project with this id or number if the principal has at least `role` on it.
   *
   * @throws ApiError `PERMISSION_MISSING` otherwise, identical whether or not the project exists.
   */
  authorize(principal: Named, role: Role, project: string): Project {
    const found = this.#registry.project(project);
    if (found === undefined || this.#roleOn(found, principal) < role) throw permissionMissing(project, role);
    return found;
  }

  /** Returns the project with this id or number, for callers that need no role. @throws ApiError `RESOURCE_NOT_FOUND` */
  projectNamed(name: string): Project {
    const project = this.#registry.project(name);
    if (project === undefined) throw projectNotFound(name);
    return project;
  }

  /** Returns the projects on which the principal has at least `role`, in registry order; possibly empty. */
  projectsOf(principal: Named, role: Role): readonly Project[] {
    return this.#registry.projects.filter((project) => this.#roleOn(project, principal) >= role);
  }

  #roleOn({ id: projectId }: Project, { name, id }: Named): Role {
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
