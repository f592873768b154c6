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

/** Finds a project by its id or its number (AIP-2510). */
export type ProjectResolver<P> = (idOrNumber: string) => P | undefined;

interface Grants {
  everywhere: Role;
  readonly byProjectId: Map<string, Role>;
}

/** Who may do what in which project. Nobody may do anything that no rule allows. */
export class AccessControl<P extends { readonly id: string }> {
  readonly #resolve: ProjectResolver<P>;
  readonly #grants = new Map<string, Grants>();

  /** @throws Error naming the rule that is for a project that does not exist. */
  constructor(rules: readonly AccessRule[], resolve: ProjectResolver<P>) {
    this.#resolve = resolve;
    rules.forEach((rule, ruleIndex) => {
      const grants = this.#grantsOf(rule.principal);
      rule.projects.forEach((name, index) => {
        if (name === "*") {
          grants.everywhere = Math.max(grants.everywhere, rule.role);
          return;
        }
        const id = resolve(name)?.id;
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
    const found = this.#resolve(project);
    const grants = this.#grants.get(principal);
    if (found === undefined || grants === undefined) throw permissionMissing(project, role);
    const granted = Math.max(grants.everywhere, grants.byProjectId.get(found.id) ?? Role.ROLE_UNSPECIFIED);
    if (granted < role) throw permissionMissing(project, role);
    return found;
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
