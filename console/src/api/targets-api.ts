import { type Target, type TargetScope, targetOf } from "#console/model/figures/target.js";
import { ApiPart } from "./api-part.js";

/** Maximum number of targets in a project. */
const PAGE_SIZE = 100;

/**
 * Reads and changes targets of projects. Changes throw `WaybillError` `ABORTED` if the target no longer has the etag that was
 * read.
 */
export class TargetsApi extends ApiPart {
  /** Lists all targets of a project, with their results. */
  async list(project: string, signal?: AbortSignal): Promise<readonly Target[]> {
    const list = this.client.targets.list({ project, pageSize: PAGE_SIZE, signal });
    return (await this.admitted(list.toArray())).map(targetOf);
  }

  async create(project: string, { app, label }: TargetScope, delivered: number): Promise<void> {
    const resource = {
      appId: app,
      ...(label !== undefined && { analyticsLabel: label }),
      deliveredPercent: delivered,
    };
    await this.admitted(this.client.targets.create({ project, resource }));
  }

  async change({ name, etag }: Target, delivered: number): Promise<void> {
    const resource = { name, etag, deliveredPercent: delivered };
    await this.admitted(this.client.targets.update({ resource, updateMask: "deliveredPercent" }));
  }

  async delete({ name, etag }: Target): Promise<void> {
    await this.admitted(this.client.targets.delete({ name, etag }));
  }
}
