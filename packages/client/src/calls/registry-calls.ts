import type { PolicyJson, ProjectJson } from "../gen/waybill/registry/v1/registry_pb.js";
import { type Call, type CallOptions, jsonBody, read } from "./call.js";
import { pathOf } from "./resource-names.js";

/** Reference to a project. */
export interface ProjectRef {
  /** Id or number of the project. */
  readonly project: string;
}

/** Request for the projects on which the caller has a role. */
export interface ListRegistryProjectsOptions extends CallOptions {
  /** True to include deleted projects that can still be restored, for owners of all projects. */
  readonly showDeleted?: boolean | undefined;
  /** Maximum number of projects per page, up to 1,000; 100 by default. */
  readonly pageSize?: number | undefined;
}

/** A new project. */
export interface CreateProjectOptions extends CallOptions {
  /** 6 to 30 lowercase letters, digits and hyphens. */
  readonly projectId: string;
  /** 4 to 30 characters; the id by default. */
  readonly displayName?: string | undefined;
}

/** Change of a project, identified by its `name`. */
export interface UpdateProjectOptions extends CallOptions {
  /** The project with its new fields. */
  readonly project: ProjectJson;
  /** Fields to change: `displayName`. */
  readonly updateMask: string;
}

/** Replacement of a project's access policy. */
export interface SetIamPolicyOptions extends ProjectRef, CallOptions {
  /** The whole policy, with the `etag` that was read. */
  readonly policy: PolicyJson;
}

/** Request for the caller's permissions. */
export interface TestIamPermissionsOptions extends ProjectRef, CallOptions {
  /** Permissions, such as `firebase.projects.get`; at most 100. */
  readonly permissions: readonly string[];
}

/** Request for audit entries. */
export interface ListAuditEntriesOptions extends ProjectRef, CallOptions {
  /** Only changes by this principal. */
  readonly principal?: string | undefined;
  /** Only changes by this method, such as `SetIamPolicy`. */
  readonly method?: string | undefined;
  /** Only changes at this time (RFC 3339) or later. */
  readonly startTime?: string | undefined;
  /** Only changes before this time (RFC 3339). */
  readonly endTime?: string | undefined;
  /** Maximum number of entries per page, up to 1,000; 100 by default. */
  readonly pageSize?: number | undefined;
}

/** Calls `ListProjects` for one page. */
export function listRegistryProjectsCall(
  { showDeleted, pageSize }: ListRegistryProjectsOptions,
  pageToken?: string,
): Call {
  return read("v1beta1/projects", { showDeleted: showDeleted ? "true" : undefined, pageSize, pageToken });
}

/** Calls `GetProject`. */
export const getProjectCall = ({ project }: ProjectRef): Call => read(`v1beta1/${projectPath(project)}`, {});

/** Calls `CreateProject`. A repetition would fail, because the id is then in use. */
export function createProjectCall({ projectId, displayName: name }: CreateProjectOptions): Call {
  return post("v1/projects", { projectId, name }, false);
}

/** Calls `AddFirebase`. */
export const addFirebaseCall = ({ project }: ProjectRef): Call =>
  post(`v1beta1/${projectPath(project)}:addFirebase`, {}, true);

/** Calls `UpdateProject`. With an etag (AIP-154), the call is repeatable. */
export function updateProjectCall({ project, updateMask }: UpdateProjectOptions): Call {
  return {
    httpMethod: "PATCH",
    path: `v1beta1/${pathOf(project.name ?? "", "projects/*")}`,
    query: { updateMask },
    body: jsonBody(project),
    repeatable: (project.etag ?? "") !== "",
  };
}

/** Calls `DeleteProject`. A repetition would fail, because the project is then deleted. */
export const deleteProjectCall = ({ project }: ProjectRef): Call => ({
  httpMethod: "DELETE",
  path: `v1/${projectPath(project)}`,
  repeatable: false,
});

/** Calls `UndeleteProject`. A repetition would fail, because the project is then not deleted. */
export const undeleteProjectCall = ({ project }: ProjectRef): Call =>
  post(`v1/${projectPath(project)}:undelete`, {}, false);

/** Calls `GetOperation`. */
export const getOperationCall = ({ name }: { readonly name: string }): Call =>
  read(`v1/${pathOf(name, "operations/*")}`, {});

/** Calls `GetIamPolicy`. */
export const getIamPolicyCall = ({ project }: ProjectRef): Call =>
  post(`v1/${projectPath(project)}:getIamPolicy`, {}, true);

/** Calls `SetIamPolicy`. With an etag, the call is repeatable. */
export function setIamPolicyCall({ project, policy }: SetIamPolicyOptions): Call {
  return post(`v1/${projectPath(project)}:setIamPolicy`, { policy }, (policy.etag ?? "") !== "");
}

/** Calls `TestIamPermissions`. */
export function testIamPermissionsCall({ project, permissions }: TestIamPermissionsOptions): Call {
  return post(`v1/${projectPath(project)}:testIamPermissions`, { permissions }, true);
}

/** Calls `ListAuditEntries` for one page. The project `-` stands for all projects that the caller owns. */
export function listAuditEntriesCall(request: ListAuditEntriesOptions, pageToken?: string): Call {
  const { project, principal, method, startTime, endTime, pageSize } = request;
  const query = { principal, method, startTime, endTime, pageSize, pageToken };
  return read(`v1/${projectPath(project)}/auditEntries`, query);
}

const post = (path: string, body: object, repeatable: boolean): Call => ({
  httpMethod: "POST",
  path,
  body: jsonBody(body),
  repeatable,
});

const projectPath = (project: string): string => pathOf(`projects/${project}`, "projects/*");
