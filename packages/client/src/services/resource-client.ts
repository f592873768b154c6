import type { CallOptions } from "../calls/call.js";
import {
  type CreateResourceOptions,
  createResourceCall,
  type DeleteResourceOptions,
  deleteResourceCall,
  getResourceCall,
  type ListResourcesOptions,
  listResourcesCall,
  type ResourceCollection,
  type ResourceRef,
  type UpdateResourceOptions,
  updateResourceCall,
} from "../calls/resource-calls.js";
import { type ListPage, listCalls, type PagedList } from "../paged-list.js";
import type { Transport } from "../transport.js";

/** A page of a collection's resources. */
export type ResourcePage<Resource, Collection extends ResourceCollection> = ListPage & {
  readonly [Name in Collection]?: readonly Resource[];
};

/**
 * Operations on one collection of resources that projects have, such as annotations. Get it from a {@link WaybillClient}
 * with a `messagingDataUrl`.
 *
 * @example
 * const date = { year: 2026, month: 11, day: 25 };
 * const resource = { date, kind: "RELEASE", text: "Release 4.2" } as const;
 * const { name } = await client.annotations.create({ project: "shop", resource });
 */
export class ResourceClient<Resource extends object, Collection extends ResourceCollection> {
  readonly #collection: Collection;
  readonly #transport: () => Transport;

  /** @param transport returns the service's transport. Throws a TypeError if the client has no address for it. */
  constructor(collection: Collection, transport: () => Transport) {
    this.#collection = collection;
    this.#transport = transport;
  }

  /** Lists a project's resources. */
  list(request: ListResourcesOptions): PagedList<Resource, ResourcePage<Resource, Collection>> {
    return listCalls(
      this.#transport,
      (options: ListResourcesOptions, pageToken?: string) =>
        listResourcesCall(this.#collection, options, pageToken),
      request,
      (page: ResourcePage<Resource, Collection>) => page[this.#collection],
    );
  }

  /**
   * Creates a resource.
   *
   * @throws WaybillError `FAILED_PRECONDITION` if the project has the maximum number.
   */
  create(request: CreateResourceOptions<Resource>): Promise<Resource> {
    return this.#transport().call(createResourceCall(this.#collection, request), request);
  }

  /** Returns a resource. @throws WaybillError `NOT_FOUND` if it does not exist. */
  get(request: ResourceRef & CallOptions): Promise<Resource> {
    return this.#transport().call(getResourceCall(this.#collection, request), request);
  }

  /**
   * Changes fields of a resource, and returns its new state.
   *
   * @throws WaybillError `ABORTED` if it no longer has the `etag`; `NOT_FOUND` if it does not exist.
   */
  update(request: UpdateResourceOptions<Resource>): Promise<Resource> {
    return this.#transport().call(updateResourceCall(this.#collection, request), request);
  }

  /** Deletes a resource. @throws the same errors as {@link update}. */
  async delete(request: DeleteResourceOptions): Promise<void> {
    await this.#transport().call(deleteResourceCall(this.#collection, request), request);
  }
}
