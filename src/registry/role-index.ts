import { type Principal, principalId } from "../api/caller.js";
import { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import { byNumber, type ProjectNumber } from "../model/names.js";
import type { MemberIdentity } from "./members.js";

/** Roles of one member. The common case of a role on a single project needs no map. */
class Grants {
  everywhere: Role = Role.ROLE_UNSPECIFIED;
  #project: ProjectNumber | undefined;
  #role: Role = Role.ROLE_UNSPECIFIED;
  /** Roles on further projects. */
  #others: Map<ProjectNumber, Role> | undefined;
  #sorted: readonly ProjectNumber[] | undefined;

  /** The projects with a role, sorted by number. */
  get sorted(): readonly ProjectNumber[] {
    this.#sorted ??= [
      ...(this.#project === undefined ? [] : [this.#project]),
      ...(this.#others?.keys() ?? []),
    ].sort(byNumber);
    return this.#sorted;
  }

  get isEmpty(): boolean {
    return (
      this.everywhere === Role.ROLE_UNSPECIFIED &&
      this.#project === undefined &&
      (this.#others === undefined || this.#others.size === 0)
    );
  }

  /** Returns the role on a project, ignoring the role on all projects. */
  on(project: ProjectNumber): Role {
    if (this.#project === project) return this.#role;
    return this.#others?.get(project) ?? Role.ROLE_UNSPECIFIED;
  }

  raise(project: ProjectNumber, role: Role): void {
    const raised = Math.max(this.on(project), role);
    this.#sorted = undefined;
    const isOnly = this.#project === undefined && this.#others?.has(project) !== true;
    if (isOnly || this.#project === project) {
      this.#project = project;
      this.#role = raised;
      return;
    }
    this.#others ??= new Map();
    this.#others.set(project, raised);
  }

  remove(project: ProjectNumber): void {
    this.#sorted = undefined;
    if (this.#project === project) this.#project = undefined;
    else this.#others?.delete(project);
  }
}

/** Principal properties that members refer to. */
export type Named = Pick<Principal, "name" | "id" | "subjectId">;

export class RoleIndex {
  /** Grants by principal name, from any issuer. */
  readonly #byName = new Map<string, Grants>();
  /** Grants by principal id, for names of one issuer. */
  readonly #byId = new Map<string, Grants>();
  /** Grants by subject id, for subjects of one issuer. */
  readonly #bySubject = new Map<string, Grants>();
  #isOwnedEverywhere = false;

  /** True if a member is an owner of all projects. */
  get isOwnedEverywhere(): boolean {
    return this.#isOwnedEverywhere;
  }

  /** True if no member has a role. */
  get isEmpty(): boolean {
    return [this.#byName, this.#byId, this.#bySubject].every(({ size }) => size === 0);
  }

  /** Grants a role on a project, or on all projects. */
  grant(member: MemberIdentity, project: ProjectNumber | "*", role: Role): void {
    const [index, key] = this.#placeOf(member);
    let grants = index.get(key);
    if (grants === undefined) {
      grants = new Grants();
      index.set(key, grants);
    }
    if (project !== "*") {
      grants.raise(project, role);
      return;
    }
    grants.everywhere = Math.max(grants.everywhere, role);
    if (role === Role.OWNER) this.#isOwnedEverywhere = true;
  }

  revoke(member: MemberIdentity, project: ProjectNumber): void {
    const [index, key] = this.#placeOf(member);
    const grants = index.get(key);
    grants?.remove(project);
    if (grants?.isEmpty) index.delete(key);
  }

  roleEverywhere(principal: Named): Role {
    let role: Role = Role.ROLE_UNSPECIFIED;
    for (const { everywhere } of this.#of(principal)) role = Math.max(role, everywhere);
    return role;
  }

  /** Returns the role that a principal has on a project, including its role on all projects. */
  roleOn(principal: Named, project: ProjectNumber): Role {
    let role: Role = Role.ROLE_UNSPECIFIED;
    for (const grants of this.#of(principal)) role = Math.max(role, grants.everywhere, grants.on(project));
    return role;
  }

  /** Returns the projects on which a principal has its own role. There is one list for each grant, sorted by number. */
  projectsOf(principal: Named): readonly (readonly ProjectNumber[])[] {
    return this.#of(principal).map(({ sorted }) => sorted);
  }

  #of({ name, id, subjectId }: Named): readonly Grants[] {
    const found: Grants[] = [];
    const byName = this.#byName.get(name);
    if (byName !== undefined) found.push(byName);
    const byId = this.#byId.get(id);
    if (byId !== undefined) found.push(byId);
    const bySubject = this.#bySubject.get(subjectId ?? id);
    if (bySubject !== undefined) found.push(bySubject);
    return found;
  }

  #placeOf(member: MemberIdentity): readonly [index: Map<string, Grants>, key: string] {
    if ("subject" in member) return [this.#bySubject, principalId(member.issuer, member.subject)];
    const { issuer, name } = member;
    return issuer === undefined ? [this.#byName, name] : [this.#byId, principalId(issuer, name)];
  }
}
