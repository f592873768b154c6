import { type Call, type CallOptions, patch, post, read } from "./call.js";
import { pathOf } from "./resource-names.js";

/** Collections of resources that projects have in the messaging-data service. */
export type ResourceCollection = "annotations" | "targets" | "views";

/** Request to list a project's resources. */
export interface ListResourcesOptions extends CallOptions {
  /** Id or number of the project. */
  readonly project: string;
  /** Maximum number of resources per page, up to 1,000; 100 by default. */
  readonly pageSize?: number | undefined;
}

/** Request to create a resource. */
export interface CreateResourceOptions<Resource> extends CallOptions {
  /** Id or number of the project. */
  readonly project: string;
  readonly resource: Resource;
}

/** Identifies a resource by its name, such as `projects/{project}/annotations/{annotation}`. */
export interface ResourceRef {
  readonly name: string;
}

/** Request to change a resource. */
export interface UpdateResourceOptions<Resource> extends CallOptions {
  /** The resource with its name and the new values. With an `etag`, the resource must still have it. */
  readonly resource: Resource & ResourceRef;
  /** Fields to change, separated by commas, or `*` for all. */
  readonly updateMask: string;
}

/** Request to delete a resource. */
export interface DeleteResourceOptions extends ResourceRef, CallOptions {
  /** If set, the resource must still have this etag. */
  readonly etag?: string | undefined;
}

export const listResourcesCall = (
  collection: ResourceCollection,
  { project, pageSize }: ListResourcesOptions,
  pageToken?: string,
): Call => read(parentPath(collection, project), { pageSize, pageToken });

/**
 * Calls a collection's create method. The call is never repeated, because a second attempt could create another
 * resource.
 */
export const createResourceCall = (
  collection: ResourceCollection,
  { project, resource }: CreateResourceOptions<object>,
): Call => post(parentPath(collection, project), resource, false);

export const getResourceCall = (collection: ResourceCollection, { name }: ResourceRef): Call =>
  read(resourcePath(collection, name), {});

/** Calls a collection's update method. With an etag, the call may be repeated. */
export const updateResourceCall = (
  collection: ResourceCollection,
  { resource, updateMask }: UpdateResourceOptions<{ readonly etag?: string }>,
): Call => patch(resourcePath(collection, resource.name), resource, updateMask);

/** Calls a collection's delete method. The call is never repeated, because a second attempt would find nothing. */
export const deleteResourceCall = (
  collection: ResourceCollection,
  { name, etag }: DeleteResourceOptions,
): Call => ({
  httpMethod: "DELETE",
  path: resourcePath(collection, name),
  query: { etag },
  repeatable: false,
});

const parentPath = (collection: ResourceCollection, project: string): string =>
  `v1beta1/${pathOf(`projects/${project}/${collection}`, `projects/*/${collection}`)}`;

const resourcePath = (collection: ResourceCollection, name: string): string =>
  `v1beta1/${pathOf(name, `projects/*/${collection}/*`)}`;
