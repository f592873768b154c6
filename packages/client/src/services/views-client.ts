import type { CallOptions } from "../calls/call.js";
import type { ResourceRef } from "../calls/resource-calls.js";
import { type ShareViewOptions, shareViewCall, unshareViewCall } from "../calls/view-calls.js";
import type { ShareViewResponseJson, ViewJson } from "../gen/waybill/messagingdata/v1beta1/view_pb.js";
import type { Transport } from "../transport.js";
import { ResourceClient } from "./resource-client.js";

/** Operations on saved views of the console. */
export class ViewsClient extends ResourceClient<ViewJson, "views"> {
  readonly #transport: () => Transport;

  /** @param transport returns the service's transport. Throws a TypeError if the client has no address for it. */
  constructor(transport: () => Transport) {
    super("views", transport);
    this.#transport = transport;
  }

  /**
   * Creates a link that shows a view without sign-in (`ShareView`), and ends the previous one. The link is the
   * messaging-data service's address, `/console/embed#` and the token.
   *
   * @throws WaybillError `NOT_FOUND` if the view does not exist; `FAILED_PRECONDITION` if it names no app.
   * @example
   * const { token } = await client.views.share({ name: "projects/1/views/v", ttl: "86400s" });
   */
  async share(request: ShareViewOptions): Promise<ShareViewResponseJson> {
    return this.#transport().call(shareViewCall(request), request);
  }

  /** Ends a view's link (`UnshareView`). @throws WaybillError `NOT_FOUND` if the view does not exist. */
  async unshare(request: ResourceRef & CallOptions): Promise<ViewJson> {
    return this.#transport().call(unshareViewCall(request), request);
  }
}
