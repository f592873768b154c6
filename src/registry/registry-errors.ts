import { ApiError } from "../api/api-error.js";
import { resourceNotFound } from "../api/errors.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import { excerpt } from "../limits/excerpt.js";
import { MAX_REGISTERED_APPS } from "../limits/limits.js";
import type { ProjectNumber } from "../model/names.js";

/** The config file defines the resource, so that the API cannot change it. */
export const ofFile = (what: string): ApiError =>
  new ApiError({
    code: Code.FAILED_PRECONDITION,
    reason: "PROVISIONED_BY_FILE",
    message: `The configuration file defines ${excerpt(what)}. Change it there, and reload the file.`,
    metadata: { resource: excerpt(what) },
  });

/** Another resource has this name. */
export const nameInUse = (field: string, name: string): ApiError =>
  new ApiError({
    code: Code.ALREADY_EXISTS,
    reason: "NAME_IN_USE",
    message: `The ${field} ${excerpt(name)} is in use. Choose another one.`,
    metadata: { field, name: excerpt(name) },
    violations: [{ field, description: `${excerpt(name)} is in use` }],
  });

/** The project has the maximum number of apps. */
export const tooManyApps = (project: ProjectNumber): ApiError =>
  new ApiError({
    code: Code.FAILED_PRECONDITION,
    reason: "TOO_MANY_REGISTERED_APPS",
    message: `projects/${project} has ${MAX_REGISTERED_APPS} apps, the maximum. Remove one immediately before you add another.`,
    metadata: { project, maximum: String(MAX_REGISTERED_APPS) },
  });

/** The policy would leave a project without anyone who can restore access. */
export const lastOwner = (project: ProjectNumber): ApiError =>
  new ApiError({
    code: Code.FAILED_PRECONDITION,
    reason: "LAST_OWNER",
    message: `The policy leaves projects/${project} without an owner. Keep a member with roles/owner.`,
    metadata: { project },
    violations: [{ field: "policy.bindings", description: "needs a member with roles/owner" }],
  });

/** The resource has changed since the caller read it (409). */
export const etagMismatch = (name: string): ApiError =>
  new ApiError({
    code: Code.ABORTED,
    reason: "ETAG_MISMATCH",
    message: `${excerpt(name)} has changed since you read it. Read it again before you change it.`,
    metadata: { resourceName: excerpt(name), sentAs: "etag" },
  });

/** The resource does not exist (404). */
export const notFound = (name: string): ApiError => resourceNotFound(name, "Check its name.");

/** The resource is in a state that does not allow the call. */
export const wrongState = (name: string, state: string): ApiError =>
  new ApiError({
    code: Code.FAILED_PRECONDITION,
    reason: "WRONG_STATE",
    message: `${excerpt(name)} is ${state}.`,
    metadata: { resourceName: excerpt(name), state },
  });

/** A policy has a part that is not supported. */
export const unsupportedPolicy = (field: string, description: string): ApiError =>
  ApiError.invalidArgument("INVALID_POLICY", field, description);
