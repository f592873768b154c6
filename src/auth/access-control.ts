import type { Principal } from "../api/caller.js";
import { appNotFound } from "../api/errors.js";
import type { ResourceName } from "../api/service.js";
import type { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import type { Project, ProjectNumber } from "../model/names.js";
import type { Registry } from "../registry/registry.js";
import { permissionMissing, permissionMissingEverywhere } from "./auth-errors.js";

/**
 * Used instead of a project id, stands for all projects or, in a name with an app id, for that app's project
 * (AIP-159).
 */
export const ANY_PROJECT = "-";

/** Collections of apps that get their id from the server. */
const APP_COLLECTIONS = ["iosApps", "androidApps", "webApps"] as const;

/** Registry methods that access control uses. */
export type AccessRegistry = Pick<
  Registry,
  "app" | "project" | "projectOfApp" | "roleOn" | "roleEverywhere" | "projectsWithRole" | "upToDate"
>;

/** Checks the roles of principals on projects. Access is denied unless a rule or a policy allows it. */
export class AccessControl {
  readonly #registry: AccessRegistry;

  constructor(registry: AccessRegistry) {
    this.#registry = registry;
  }

  /**
   * Waits until this process knows all role changes that any process made until a second ago. Returns `undefined` if it
   * already does.
   *
   * @throws StoreUnavailableError, by rejection, if the roles cannot be read.
   */
  upToDate(): Promise<void> | undefined {
    return this.#registry.upToDate();
  }

  /**
   * Returns the project in a resource name if the principal has at least `role` on it. If the name has the project `-`,
   * returns the app's project.
   *
   * @throws ApiError `PERMISSION_MISSING` if the role is too low or the project does not exist. The error is identical
   * in both cases.
   */
  authorize(principal: Principal, role: Role, resource: ResourceName): Project {
    const name = resource.idIn("projects");
    const found = name === ANY_PROJECT ? this.#projectOfApp(resource) : this.#registry.project(name);
    if (found === undefined || this.#registry.roleOn(principal, found.number) < role) {
      throw permissionMissing(name, role);
    }
    return found;
  }

  /** Checks that the principal has at least `role` on all projects. @throws ApiError `PERMISSION_MISSING` otherwise. */
  authorizeEverywhere(principal: Principal, role: Role): void {
    if (this.#registry.roleEverywhere(principal) < role) throw permissionMissingEverywhere(role);
  }

  /**
   * Returns a registered app's project, for devices, which have no role.
   *
   * @throws ApiError `RESOURCE_NOT_FOUND`, identical for an unknown project and an unknown app.
   */
  projectOfDevice(resource: ResourceName): Project {
    const [name, appId] = [resource.idIn("projects"), resource.idIn("apps")];
    const project = this.#registry.project(name);
    if (project === undefined || this.#registry.app(project.number, appId) === undefined)
      throw appNotFound(name, appId);
    return project;
  }

  /** Lists projects on which the principal has at least `role`, sorted by number, starting after a project number. */
  projectsAfter(
    principal: Principal,
    role: Role,
    after: ProjectNumber | undefined,
    limit: number,
  ): readonly Project[] {
    return this.#registry.projectsWithRole(principal, role, after, limit);
  }

  #projectOfApp(resource: ResourceName): Project | undefined {
    const appId = APP_COLLECTIONS.map((name) => resource.findIn(name)).find((id) => id !== undefined);
    return appId === undefined ? undefined : this.#registry.projectOfApp(appId);
  }
}
