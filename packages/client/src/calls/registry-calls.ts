import type { PolicyJson, ProjectJson } from "../gen/waybill/registry/v1/registry_pb.js";
import { type Call, type CallOptions, hasEtag, patch, post, read } from "./call.js";
import { pathOf } from "./resource-names.js";

/** Identifies a project. */
export interface ProjectRef {
  /** Id or number of the project. */
  readonly project: string;
}

/** Request to list the projects on which the caller has a role. */
export interface ListRegistryProjectsOptions extends CallOptions {
  /** True to include deleted projects that can still be restored. Only owners of all projects may set this. */
  readonly showDeleted?: boolean | undefined;
  /** Maximum number of projects per page, up to 1,000; 100 by default. */
  readonly pageSize?: number | undefined;
}

/** Request to create a project. */
export interface CreateProjectOptions extends CallOptions {
  /** Project id: 6 to 30 lowercase letters, digits and hyphens. */
  readonly projectId: string;
  /** Display name of 4 to 30 characters. By default, the project id. */
  readonly displayName?: string | undefined;
}

/** Request to change a project, identified by `project.name`. */
export interface UpdateProjectOptions extends CallOptions {
  /** The project's `name` and its new field values. */
  readonly project: ProjectJson;
  /** Fields to change. Only `displayName` can be changed. */
  readonly updateMask: string;
}

/** Request to replace a project's access policy. */
export interface SetIamPolicyOptions extends ProjectRef, CallOptions {
  /** The complete new policy, with the `etag` of the policy that it replaces. */
  readonly policy: PolicyJson;
}

/** Request to check which permissions the caller has on a project. */
export interface TestIamPermissionsOptions extends ProjectRef, CallOptions {
  /** Permissions to check, such as `firebase.projects.get`; at most 100. */
  readonly permissions: readonly string[];
}

/** Request to list audit entries. */
export interface ListAuditEntriesOptions extends ProjectRef, CallOptions {
  /** Selects only changes by this principal. */
  readonly principal?: string | undefined;
  /** Selects only changes by this method, such as `SetIamPolicy`. */
  readonly method?: string | undefined;
  /** Selects only changes at or after this time (RFC 3339). */
  readonly startTime?: string | undefined;
  /** Selects only changes before this time (RFC 3339). */
  readonly endTime?: string | undefined;
  /** Maximum number of entries per page, up to 1,000; 100 by default. */
  readonly pageSize?: number | undefined;
}

export function listRegistryProjectsCall(
  { showDeleted, pageSize }: ListRegistryProjectsOptions,
  pageToken?: string,
): Call {
  return read("v1beta1/projects", { showDeleted: showDeleted ? "true" : undefined, pageSize, pageToken });
}

export const getProjectCall = ({ project }: ProjectRef): Call => read(`v1beta1/${projectPath(project)}`, {});

/** Calls `CreateProject`. The call is never repeated: a second attempt would fail because the project id is in use. */
export function createProjectCall({ projectId, displayName: name }: CreateProjectOptions): Call {
  return post("v1/projects", { projectId, name }, false);
}

export const addFirebaseCall = ({ project }: ProjectRef): Call =>
  post(`v1beta1/${projectPath(project)}:addFirebase`, {}, true);

/** Calls `UpdateProject`. The call may be repeated if it includes an etag (AIP-154). */
export function updateProjectCall({ project, updateMask }: UpdateProjectOptions): Call {
  return patch(`v1beta1/${pathOf(project.name, "projects/*")}`, project, updateMask);
}

/**
 * Calls `DeleteProject`. The call is never repeated: a second attempt would fail because the project is already
 * deleted.
 */
export const deleteProjectCall = ({ project }: ProjectRef): Call => ({
  httpMethod: "DELETE",
  path: `v1/${projectPath(project)}`,
  repeatable: false,
});

/**
 * Calls `UndeleteProject`. The call is never repeated: a second attempt would fail because the project is already
 * restored.
 */
export const undeleteProjectCall = ({ project }: ProjectRef): Call =>
  post(`v1/${projectPath(project)}:undelete`, {}, false);

export const getOperationCall = ({ name }: { readonly name: string }): Call =>
  read(`v1/${pathOf(name, "operations/*")}`, {});

export const getIamPolicyCall = ({ project }: ProjectRef): Call =>
  post(`v1/${projectPath(project)}:getIamPolicy`, {}, true);

/** Calls `SetIamPolicy`. The call may be repeated if the policy includes an etag. */
export function setIamPolicyCall({ project, policy }: SetIamPolicyOptions): Call {
  return post(`v1/${projectPath(project)}:setIamPolicy`, { policy }, hasEtag(policy));
}

export function testIamPermissionsCall({ project, permissions }: TestIamPermissionsOptions): Call {
  return post(`v1/${projectPath(project)}:testIamPermissions`, { permissions }, true);
}

/** Calls `ListAuditEntries` for one page. The project `-` stands for all projects that the caller owns. */
export function listAuditEntriesCall(request: ListAuditEntriesOptions, pageToken?: string): Call {
  const { project, principal, method, startTime, endTime, pageSize } = request;
  const query = { principal, method, startTime, endTime, pageSize, pageToken };
  return read(`v1/${projectPath(project)}/auditEntries`, query);
}

const projectPath = (project: string): string => pathOf(`projects/${project}`, "projects/*");
