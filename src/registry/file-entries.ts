import type { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import type { ProjectNumber } from "../model/names.js";
import { appOfFile, type FileProject, projectOfFile } from "./entries.js";
import { type Binding, roleName, sortedBindings } from "./members.js";
import { Projects } from "./projects.js";
import { RoleIndex } from "./role-index.js";

export interface FileAccess {
  /** Name of the principal, compared exactly. */
  readonly principal: string;
  /** Issuer of the principal's name; any issuer if omitted. */
  readonly issuer?: string | undefined;
  /** Project ids or numbers; `*` means every project. */
  readonly projects: readonly string[];
  readonly role: Role;
}

export interface RegistryFile {
  readonly projects: readonly FileProject[];
  readonly access: readonly FileAccess[];
}

/** Everything that the config file defines. A rule that names an unknown project applies once the project exists. */
export class FileEntries {
  readonly projects = new Projects();
  readonly roles = new RoleIndex();
  /** Bindings of single projects, by project number. */
  readonly #bindings = new Map<ProjectNumber, readonly Binding[]>();
  /** Projects that rules name but the file does not define. */
  readonly #others = new Map<string, ProjectNumber | undefined>();

  /** @param stored projects in records. Rules can name them. */
  constructor({ projects, access }: RegistryFile, stored: Pick<Projects, "project">) {
    for (const project of projects) {
      this.projects.setProject(projectOfFile(project));
      for (const app of project.apps) this.projects.setApp(appOfFile(project.number, app));
    }
    const bindings = new Map<ProjectNumber, Binding[]>();
    for (const { principal, issuer, projects: names, role } of access) {
      const identity = issuer === undefined ? { name: principal } : { issuer, name: principal };
      const member = issuer === undefined ? `user:${principal}` : `principal:${issuer}#${principal}`;
      for (const name of names) {
        const number = name === "*" ? name : this.#numberOf(name, stored);
        if (number === undefined) continue;
        this.roles.grant(identity, number, role);
        if (number === "*") continue;
        const ofProject = bindings.get(number) ?? [];
        ofProject.push({ role: roleName(role), members: [member] });
        bindings.set(number, ofProject);
      }
    }
    for (const [number, ofProject] of bindings) this.#bindings.set(number, sortedBindings(ofProject));
  }

  bindings(project: ProjectNumber): readonly Binding[] {
    return this.#bindings.get(project) ?? [];
  }

  /** Returns true if rules name the same stored projects as before. */
  isCurrent(stored: Pick<Projects, "project">): boolean {
    return [...this.#others].every(([name, number]) => stored.project(name)?.number === number);
  }

  #numberOf(name: string, stored: Pick<Projects, "project">): ProjectNumber | undefined {
    const defined = this.projects.project(name);
    if (defined !== undefined) return defined.number;
    const number = stored.project(name)?.number;
    this.#others.set(name, number);
    return number;
  }
}
