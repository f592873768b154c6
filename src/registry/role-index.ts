import { type Principal, principalId } from "../api/caller.js";
import { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import { byNumber, type ProjectNumber } from "../model/names.js";
import type { MemberIdentity } from "./members.js";

/** Roles of one member. */
class Grants {
  readonly #index: Map<string, Grants>;
  readonly #key: string;
  /** Role on all projects. */
  everywhere: Role = Role.ROLE_UNSPECIFIED;
  readonly byProject = new Map<ProjectNumber, Role>();
  #sorted: readonly ProjectNumber[] | undefined;

  /** Adds itself to an index, until it has no role left. */
  constructor(index: Map<string, Grants>, key: string) {
    this.#index = index;
    this.#key = key;
    index.set(key, this);
  }

  /** The projects in {@link byProject}, sorted by number. */
  get sorted(): readonly ProjectNumber[] {
    this.#sorted ??= [...this.byProject.keys()].sort(byNumber);
    return this.#sorted;
  }

  raise(project: ProjectNumber, role: Role): void {
    this.byProject.set(project, Math.max(this.byProject.get(project) ?? Role.ROLE_UNSPECIFIED, role));
    this.#sorted = undefined;
  }

  remove(project: ProjectNumber): void {
    this.byProject.delete(project);
    this.#sorted = undefined;
    if (this.byProject.size === 0 && this.everywhere === Role.ROLE_UNSPECIFIED) this.#index.delete(this.#key);
  }
}

/** Principal properties that members refer to. */
export type Named = Pick<Principal, "name" | "id" | "subjectId">;

/** Roles of members on projects. */
export class RoleIndex {
  /** By principal name, from any issuer. */
  readonly #byName = new Map<string, Grants>();
  /** By principal id, for names of one issuer. */
  readonly #byId = new Map<string, Grants>();
  /** By subject id, for subjects of one issuer. */
  readonly #bySubject = new Map<string, Grants>();
  /** Members with a role, by project. */
  readonly #members = new Map<ProjectNumber, Set<Grants>>();

  /** Grants a role on a project, or on all projects. */
  grant(member: MemberIdentity, project: ProjectNumber | "*", role: Role): void {
    const grants = this.#grantsOf(member);
    if (project === "*") {
      grants.everywhere = Math.max(grants.everywhere, role);
      return;
    }
    grants.raise(project, role);
    const members = this.#members.get(project) ?? new Set();
    this.#members.set(project, members.add(grants));
  }

  /** Removes all roles on a project. */
  removeProject(project: ProjectNumber): void {
    for (const grants of this.#members.get(project) ?? []) grants.remove(project);
    this.#members.delete(project);
  }

  /** Returns a principal's role on all projects. */
  roleEverywhere(principal: Named): Role {
    return highest(this.#of(principal).map(({ everywhere }) => everywhere));
  }

  /** Returns a principal's role on a project, including its role on all projects. */
  roleOn(principal: Named, project: ProjectNumber): Role {
    return highest(
      this.#of(principal).map(({ everywhere, byProject }) =>
        Math.max(everywhere, byProject.get(project) ?? Role.ROLE_UNSPECIFIED),
      ),
    );
  }

  /** Returns the projects on which a principal has a role of its own, sorted by number; one list for each grant. */
  projectsOf(principal: Named): readonly (readonly ProjectNumber[])[] {
    return this.#of(principal).map(({ sorted }) => sorted);
  }

  /** Returns true if a member is an owner of a project or of all projects. */
  hasOwner(project: ProjectNumber): boolean {
    const isOwnerEverywhere = ({ everywhere }: Grants) => everywhere >= Role.OWNER;
    const all = [this.#byName, this.#byId, this.#bySubject].flatMap((index) => [...index.values()]);
    if (all.some(isOwnerEverywhere)) return true;
    const members = [...(this.#members.get(project) ?? [])];
    return members.some(({ byProject }) => byProject.get(project) === Role.OWNER);
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

  #grantsOf(member: MemberIdentity): Grants {
    const [index, key] = this.#placeOf(member);
    return index.get(key) ?? new Grants(index, key);
  }

  #placeOf(member: MemberIdentity): readonly [index: Map<string, Grants>, key: string] {
    if ("subject" in member) return [this.#bySubject, principalId(member.issuer, member.subject)];
    const { issuer, name } = member;
    return issuer === undefined ? [this.#byName, name] : [this.#byId, principalId(issuer, name)];
  }
}

const highest = (roles: readonly Role[]): Role => Math.max(Role.ROLE_UNSPECIFIED, ...roles);
