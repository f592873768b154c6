import { create, toJsonString } from "@bufbuild/protobuf";
import { type Empty, EmptySchema } from "@bufbuild/protobuf/wkt";
import { ParameterViolations } from "../../api/api-error.js";
import type { EveryProjectCaller, PrincipalCaller, ProjectCaller } from "../../api/caller.js";
import { EncodedJson } from "../../api/encoded-response.js";
import { checkPreconditions, NO_PRECONDITIONS, type Preconditions } from "../../api/preconditions.js";
import type { CallContext } from "../../api/service.js";
import { type MaskFields, readUpdateMask } from "../../api/update-mask.js";
import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";
import {
  type AddFirebaseRequest,
  type CreateProjectRequest,
  type DeleteProjectRequest,
  type GetOperationRequest,
  type ListProjectsRequest,
  type ListProjectsResponse,
  ListProjectsResponseSchema,
  type Operation,
  type Project,
  ProjectSchema,
  RegistryService,
  type UndeleteProjectRequest,
  type UpdateProjectRequest,
} from "../../gen/waybill/registry/v1/registry_pb.js";
import { readPageOf } from "../../paging/page.js";
import type { PageTokens } from "../../paging/page-tokens.js";
import { auditNote } from "../audit/audit-note.js";
import type { RegisteredProject } from "../entries.js";
import { memberOf } from "../members.js";
import type { Registry } from "../registry.js";
import type { RegistryChanges } from "../registry-changes.js";
import { etagMismatch, notFound, ofFile, wrongState } from "../registry-errors.js";
import { additionTo, changeOf, creationOf, firebaseProjectMessage, projectMessage } from "./resources.js";

const { method } = RegistryService;

export interface RegistryParts {
  readonly registry: Registry;
  readonly changes: RegistryChanges;
  readonly tokens: PageTokens;
}

const FIELDS: MaskFields = {
  changeable: ["display_name"],
  immutable: ["name", "project_id", "project_number"],
  outputOnly: ["state", "etag", "provisioned_by_file"],
};

export function projectHandlers({ registry, changes, tokens }: RegistryParts) {
  /** Returns a project by a resource name, even if it is deleted. */
  const named = (name: string): RegisteredProject => {
    const project = registry.projectEvenDeleted(name);
    if (project === undefined) throw notFound(`projects/${name}`);
    return project;
  };

  return {
    listProjects: async (
      request: ListProjectsRequest,
      { caller }: CallContext<EveryProjectCaller>,
    ): Promise<ListProjectsResponse> => {
      const withDeleted = request.showDeleted && registry.roleEverywhere(caller.principal) >= Role.OWNER;
      const list = {
        operation: method.listProjects.name,
        parent: "",
        filter: request.showDeleted ? "deleted" : undefined,
        read: async (after: string | undefined, limit: number) =>
          withDeleted
            ? registry.projectsAfter(after, limit, (project) => changes.isRestorable(project))
            : registry.projectsWithRole(caller.principal, Role.VIEWER, after, limit),
        positionOf: ({ number }: RegisteredProject) => number,
      };
      const { items, nextPageToken } = await readPageOf(list, request, tokens);
      return create(ListProjectsResponseSchema, { results: items.map(projectMessage), nextPageToken });
    },

    getProject: async (_request: unknown, { caller }: CallContext<ProjectCaller>): Promise<Project> =>
      firebaseProjectMessage(currentProject(registry, caller.project)),

    createProject: async (
      { projectId, name }: CreateProjectRequest,
      { caller }: CallContext<PrincipalCaller>,
    ): Promise<Operation> => {
      const violations = new ParameterViolations();
      checkProjectId(projectId, violations);
      if (name !== "") checkDisplayName(name, "name", violations);
      violations.throwIfAny();
      const displayName = name === "" ? projectId : name;
      const { principal } = caller;
      const owner = memberOf(principal.name, principal.issuer);
      const note = auditNote(caller, method.createProject.name);
      return creationOf(await changes.createProject({ id: projectId, displayName, owner }, note));
    },

    addFirebase: async (
      _request: AddFirebaseRequest,
      { resource, preconditions }: CallContext<PrincipalCaller>,
    ): Promise<Operation> => {
      await registry.refresh();
      const project = named(resource.idIn("projects"));
      if (project.deleteTime !== undefined) throw wrongState(`projects/${project.id}`, "deleted");
      checkTags(project, preconditions);
      return additionTo(project);
    },

    updateProject: async (
      { project: requested, updateMask }: UpdateProjectRequest,
      { caller }: CallContext<ProjectCaller>,
    ): Promise<Project> => {
      const mask = readUpdateMask(updateMask, FIELDS, false);
      const { displayName = "", etag = "" } = requested ?? {};
      const { number } = caller.project;
      const isNamed = mask.size === 0 ? displayName !== "" : mask.has("display_name");
      if (isNamed) {
        const violations = new ParameterViolations();
        checkDisplayName(displayName, "displayName", violations);
        violations.throwIfAny();
      }
      const note = auditNote(caller, method.updateProject.name);
      const check = (project: RegisteredProject): void => {
        if (etag !== "" && etag !== project.etag) throw etagMismatch(`projects/${project.id}`);
      };
      const before = currentProject(registry, caller.project);
      if (before.isOfFile) throw ofFile(`the project ${before.id}`);
      const name = isNamed ? displayName : before.displayName;
      return projectMessage(await changes.renameProject(number, name, note, check));
    },

    deleteProject: async (
      _request: DeleteProjectRequest,
      { caller, resource }: CallContext<PrincipalCaller>,
    ): Promise<Empty> => {
      await registry.refresh();
      const project = named(resource.idIn("projects"));
      await changes.deleteProject(project.number, auditNote(caller, method.deleteProject.name));
      return create(EmptySchema);
    },

    undeleteProject: async (
      _request: UndeleteProjectRequest,
      { caller, resource, preconditions }: CallContext<PrincipalCaller>,
    ): Promise<Empty> => {
      await registry.refresh();
      const { number } = named(resource.idIn("projects"));
      const check = (project: RegisteredProject): void => checkTags(project, preconditions);
      await changes.undeleteProject(number, auditNote(caller, method.undeleteProject.name), check);
      return create(EmptySchema);
    },

    getOperation: async (
      { name }: GetOperationRequest,
      { caller }: CallContext<PrincipalCaller>,
    ): Promise<Operation> => {
      await registry.refresh();
      const [, type, number = "", appId = ""] =
        /^operations\/(create|firebase|app)\.([0-9]+)(?:\.(.+))?$/s.exec(name) ?? [];
      const project = registry.project(number);
      const isVisible = project !== undefined && registry.roleOn(caller.principal, number) >= Role.VIEWER;
      if (isVisible && type === "create") return creationOf(project);
      if (isVisible && type === "firebase") return additionTo(project);
      const app = isVisible ? registry.appEvenRemoved(number, appId) : undefined;
      if (project === undefined || app?.platform === undefined) throw notFound(name);
      return changeOf(app.platform, { project, app });
    },
  };
}

/** Checks preconditions against a project's etag, and against the `ETag` header of a GET response. */
function checkTags(project: RegisteredProject, preconditions: Preconditions): void {
  if (preconditions === NO_PRECONDITIONS) return;
  const { etag } = new EncodedJson(Buffer.from(toJsonString(ProjectSchema, firebaseProjectMessage(project))));
  checkPreconditions(preconditions, [`"${project.etag}"`, etag], `projects/${project.id}`);
}

/** Returns a project as it is now. @throws ApiError `RESOURCE_NOT_FOUND`. */
export function currentProject(registry: Registry, { number }: ProjectCaller["project"]): RegisteredProject {
  const project = registry.project(number);
  if (project === undefined) throw notFound(`projects/${number}`);
  return project;
}

function checkProjectId(projectId: string, violations: ParameterViolations): void {
  if (/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/.test(projectId)) return;
  violations.add(
    "INVALID_PROJECT_ID",
    "projectId",
    "must have 6 to 30 lowercase letters, digits and hyphens, start with a letter and not end with a hyphen",
  );
}

function checkDisplayName(name: string, field: string, violations: ParameterViolations): void {
  const { length } = [...name];
  if (length >= 4 && length <= 30 && !/[\p{Cc}\p{Surrogate}]/u.test(name)) return;
  violations.add("INVALID_DISPLAY_NAME", field, "must have 4 to 30 characters, without control characters");
}
