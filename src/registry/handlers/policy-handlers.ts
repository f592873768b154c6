import { create } from "@bufbuild/protobuf";
import { ParameterViolations } from "../../api/api-error.js";
import type { PrincipalCaller, ProjectCaller } from "../../api/caller.js";
import { checkPreconditions, type Preconditions } from "../../api/preconditions.js";
import type { CallContext } from "../../api/service.js";
import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";
import {
  type GetIamPolicyRequest,
  type Policy,
  PolicySchema,
  RegistryService,
  type SetIamPolicyRequest,
  type TestIamPermissionsRequest,
  type TestIamPermissionsResponse,
  TestIamPermissionsResponseSchema,
} from "../../gen/waybill/registry/v1/registry_pb.js";
import { excerpt } from "../../limits/excerpt.js";
import type { ProjectNumber } from "../../model/names.js";
import { auditNote } from "../audit/audit-note.js";
import { type Binding, checkBindings, grantsOf, sortedBindings } from "../members.js";
import type { Registry } from "../registry.js";
import { etagMismatch, unsupportedPolicy } from "../registry-errors.js";
import { isOnAllProjects, roleForPermission } from "./permissions.js";
import type { RegistryParts } from "./project-handlers.js";

const { method } = RegistryService;
const MAX_PERMISSIONS = 100;

export function policyHandlers({ registry, changes }: RegistryParts) {
  /** Checks preconditions against a policy's etag. */
  const checkTag = ({ project: { number, id } }: ProjectCaller, preconditions: Preconditions): void =>
    checkPreconditions(preconditions, [`"${registry.policyEtag(number)}"`], `projects/${id}`);

  return {
    getIamPolicy: async (
      _request: GetIamPolicyRequest,
      { caller, preconditions }: CallContext<ProjectCaller>,
    ): Promise<Policy> => {
      await registry.refresh();
      checkTag(caller, preconditions);
      return policyOf(registry, caller.project.number);
    },

    setIamPolicy: async (
      { policy }: SetIamPolicyRequest,
      { caller, preconditions }: CallContext<ProjectCaller>,
    ): Promise<Policy> => {
      const { number, id } = caller.project;
      if (policy === undefined) throw unsupportedPolicy("policy", "is required");
      if (policy.version > 1)
        throw unsupportedPolicy("policy.version", "must be 1: conditions are not supported");
      const ofFile = grantsOf(registry.fileBindings(number));
      const bindings = checkBindings(policy.bindings, (role, member) => ofFile.has(`${role} ${member}`));
      const sent = Buffer.from(policy.etag).toString("base64");
      const check = (): void => {
        checkTag(caller, preconditions);
        const isCurrent = sent === "" || sent === registry.policyEtag(number);
        // Another process can have removed the caller's role less than a second ago.
        const isOwner = registry.roleOn(caller.principal, number) >= Role.OWNER;
        if (!isCurrent || !isOwner) throw etagMismatch(`projects/${id}`, `The policy of projects/${id}`);
      };
      await changes.setPolicy(number, bindings, auditNote(caller, method.setIamPolicy.name), check);
      return policyOf(registry, number);
    },

    testIamPermissions: async (
      { permissions }: TestIamPermissionsRequest,
      { caller: { principal }, resource, preconditions }: CallContext<PrincipalCaller>,
    ): Promise<TestIamPermissionsResponse> => {
      checkPermissions(permissions);
      const id = resource.idIn("projects");
      // The result has no tag, and callers without a role must not learn others.
      checkPreconditions(preconditions, [], `projects/${excerpt(id)}`);
      const project = registry.project(id);
      const role = project === undefined ? Role.ROLE_UNSPECIFIED : registry.roleOn(principal, project.number);
      const held = permissions.filter((permission) => {
        const needed = roleForPermission(permission);
        if (needed === undefined || role < needed) return false;
        return !isOnAllProjects(permission) || registry.roleEverywhere(principal) >= needed;
      });
      return create(TestIamPermissionsResponseSchema, { permissions: held });
    },
  };
}

/** Returns a project's policy: the stored bindings and those bindings that the config file defines. */
function policyOf(registry: Registry, project: ProjectNumber): Policy {
  const stored = registry.storedPolicy(project)?.bindings ?? [];
  const ofFile = registry.fileBindings(project);
  return create(PolicySchema, {
    version: 1,
    bindings: messagesOf(sortedBindings([...ofFile, ...stored])),
    etag: Buffer.from(registry.policyEtag(project), "base64"),
    provisionedBindings: messagesOf(ofFile),
  });
}

const messagesOf = (bindings: readonly Binding[]) =>
  bindings.map(({ role, members }) => ({ role, members: [...members] }));

function checkPermissions(permissions: readonly string[]): void {
  const violations = new ParameterViolations();
  if (permissions.length > MAX_PERMISSIONS) {
    const description = `has ${permissions.length} items; the maximum is ${MAX_PERMISSIONS}`;
    violations.add("TOO_MANY_PERMISSIONS", "permissions", description);
  }
  for (const [index, permission] of permissions.slice(0, MAX_PERMISSIONS).entries()) {
    if (/^[a-z][a-zA-Z0-9]*(?:\.[a-zA-Z0-9]+){2,}$/.test(permission)) continue;
    const description = `${excerpt(JSON.stringify(permission))} must be a permission without wildcards, such as firebase.projects.get`;
    violations.add("INVALID_PERMISSION", `permissions[${index}]`, description);
  }
  violations.throwIfAny();
}
