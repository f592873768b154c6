import { ApiError } from "../api/api-error.js";
import { resourceNotFound } from "../api/errors.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import { MAX_REGISTERED_APPS } from "../limits/data-limits.js";
import { excerpt } from "../limits/excerpt.js";
import type { ProjectNumber } from "../model/names.js";

/** Returns the error for a resource that the config file defines, and that the API cannot change. */
export const ofFile = (what: string): ApiError =>
  new ApiError({
    code: Code.FAILED_PRECONDITION,
    reason: "PROVISIONED_BY_FILE",
    message: `The configuration file defines ${excerpt(what)}. Change it there, and reload the file.`,
    metadata: { resource: excerpt(what) },
  });

/** Returns the error for a name that another resource uses. */
export const nameInUse = (field: string, name: string): ApiError =>
  new ApiError({
    code: Code.ALREADY_EXISTS,
    reason: "NAME_IN_USE",
    message: `The ${field} ${excerpt(name)} is in use. Choose another one.`,
    metadata: { field, name: excerpt(name) },
    violations: [{ field, description: `${excerpt(name)} is in use` }],
  });

export const tooManyApps = (project: ProjectNumber): ApiError =>
  new ApiError({
    code: Code.FAILED_PRECONDITION,
    reason: "TOO_MANY_REGISTERED_APPS",
    message: `projects/${project} has ${MAX_REGISTERED_APPS} apps, the maximum. Remove one with immediate=true before you add another.`,
    metadata: { project, maximum: String(MAX_REGISTERED_APPS) },
  });

export const tooManyResources = (project: ProjectNumber, collection: string, maximum: number): ApiError =>
  new ApiError({
    code: Code.FAILED_PRECONDITION,
    reason: "TOO_MANY_RESOURCES",
    message: `projects/${project} has ${maximum.toLocaleString("en")} ${collection}, the maximum. Delete one before you create another.`,
    metadata: { project, collection, maximum: String(maximum) },
  });

export const alreadyExists = (name: string): ApiError =>
  new ApiError({
    code: Code.ALREADY_EXISTS,
    reason: "RESOURCE_ALREADY_EXISTS",
    message: `${excerpt(name)} already exists. Change it, or delete it first.`,
    metadata: { resourceName: excerpt(name) },
  });

/** Returns the error for a policy that leaves nobody who can restore access to the project. */
export const lastOwner = (project: ProjectNumber): ApiError =>
  new ApiError({
    code: Code.FAILED_PRECONDITION,
    reason: "LAST_OWNER",
    message: `The policy leaves projects/${project} without an owner. Keep a member with roles/owner.`,
    metadata: { project },
    violations: [{ field: "policy.bindings", description: "needs a member with roles/owner" }],
  });

/**
 * Returns the error (409) for a resource that has changed since the caller read it.
 *
 * @param subject names it in the message.
 */
export const etagMismatch = (name: string, subject = excerpt(name)): ApiError =>
  new ApiError({
    code: Code.ABORTED,
    reason: "ETAG_MISMATCH",
    message: `${subject} has changed since you read it. Read it again before you change it.`,
    metadata: { resourceName: excerpt(name), sentAs: "etag" },
  });

/** Returns the error (404) for a resource that does not exist. */
export const notFound = (name: string): ApiError => resourceNotFound(name, "Check its name.");

/** Returns the error for a resource in a state that does not allow the call. */
export const wrongState = (name: string, state: string): ApiError =>
  new ApiError({
    code: Code.FAILED_PRECONDITION,
    reason: "WRONG_STATE",
    message: `${excerpt(name)} is ${state}.`,
    metadata: { resourceName: excerpt(name), state },
  });

/** Returns the error for a part of a policy that is not supported. */
export const unsupportedPolicy = (field: string, description: string): ApiError =>
  ApiError.invalidArgument("INVALID_POLICY", field, description);
