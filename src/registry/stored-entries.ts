import type { ChangedRecord, Json } from "../control/records.js";
import type { ProjectNumber } from "../model/names.js";
import { appOf, entryOf, type PolicyValue, projectOf, type StoredPolicy } from "./entries.js";
import { type Binding, identityOf, type MemberIdentity, roleOf } from "./members.js";
import { Projects } from "./projects.js";
import { RoleIndex } from "./role-index.js";

/** Everything that is stored in records: projects, apps and policies, with the roles that the policies grant. */
export class StoredEntries {
  readonly projects = new Projects();
  readonly roles = new RoleIndex();
  readonly #policies = new Map<ProjectNumber, StoredPolicy>();

  /** Returns a project's policy; `undefined` if nobody has set it. */
  policy(project: ProjectNumber): StoredPolicy | undefined {
    return this.#policies.get(project);
  }

  /** Returns a record's revision; 0 if it does not exist. */
  revisionOf(key: string): number {
    const entry = entryOf(key);
    const { project } = entry;
    if (entry.type === "project") return this.projects.project(project)?.revision ?? 0;
    if (entry.type === "policy") return this.#policies.get(project)?.revision ?? 0;
    return this.projects.app(project, entry.appId)?.revision ?? 0;
  }

  /** Applies the last change of a record. */
  apply({ key, value, revision }: ChangedRecord): void {
    const entry = entryOf(key);
    const project = this.projects.sharedNumber(entry.project);
    if (entry.type === "project") {
      if (value === undefined) this.projects.removeProject(project);
      else this.projects.setProject(projectOf(project, value, revision));
    } else if (entry.type === "app") {
      if (value === undefined) this.projects.removeApp(project, entry.appId);
      else this.projects.setApp(appOf(project, flat(entry.appId), value, revision));
    } else {
      this.#setPolicy(project, value, revision);
    }
  }

  #setPolicy(project: ProjectNumber, value: Json | undefined, revision: number): void {
    this.#forEachMember(this.#policies.get(project)?.bindings ?? [], (identity) =>
      this.roles.revoke(identity, project),
    );
    if (value === undefined) {
      this.#policies.delete(project);
      return;
    }
    const { bindings } = value as unknown as PolicyValue;
    this.#policies.set(project, { bindings, revision });
    this.#forEachMember(bindings, (identity, binding) =>
      this.roles.grant(identity, project, roleOf(binding)),
    );
  }

  #forEachMember(
    bindings: readonly Binding[],
    visit: (identity: MemberIdentity, binding: Binding) => void,
  ): void {
    for (const binding of bindings) {
      for (const member of binding.members) {
        const identity = identityOf(member);
        if (identity !== undefined) visit(identity, binding);
      }
    }
  }
}

/** Copies a string. A substring would keep the whole source string in memory. */
const flat = (text: string): string => Buffer.from(text).toString();
