import { type SavedView, savedQueryOf, savedViewOf } from "#console/model/view/saved-view.js";
import type { View } from "#console/model/view/view.js";
import { ApiPart } from "./api-part.js";
import { linkOf } from "./shared-view-api.js";

/** Maximum number of views in a project. */
const PAGE_SIZE = 100;
const DAY_SECONDS = 86_400;

/**
 * Reads and changes saved views of projects. Changes throw `WaybillError` `ABORTED` if the view no longer has the etag that
 * was read.
 */
export class ViewsApi extends ApiPart {
  /** Lists all saved views of a project, by title. */
  async list(project: string, signal: AbortSignal): Promise<readonly SavedView[]> {
    const list = this.client.views.list({ project, pageSize: PAGE_SIZE, signal });
    const views = (await this.admitted(list.toArray())).map((json) => savedViewOf(json, project));
    return views.sort((a, b) => a.title.localeCompare(b.title));
  }

  async save(project: string, title: string, view: View): Promise<void> {
    const resource = { displayName: title, query: savedQueryOf(view) };
    await this.admitted(this.client.views.create({ project, resource }));
  }

  async rename({ name, etag }: SavedView, title: string): Promise<void> {
    const resource = { name, etag, displayName: title };
    await this.admitted(this.client.views.update({ resource, updateMask: "displayName" }));
  }

  /** Creates a view's link for a number of days, and returns it. */
  async share({ name }: SavedView, days: number): Promise<string> {
    const share = this.client.views.share({ name, ttl: `${days * DAY_SECONDS}s` });
    const { token = "" } = await this.admitted(share);
    return linkOf(token);
  }

  async unshare({ name }: SavedView): Promise<void> {
    await this.admitted(this.client.views.unshare({ name }));
  }

  async delete({ name, etag }: SavedView): Promise<void> {
    await this.admitted(this.client.views.delete({ name, etag }));
  }
}
