import type { TokenTtl } from "../app-attest-config-store.js";
import type { ChangeRecord } from "../file/change-record.js";

/** A row of `waybill.config_changes`, as the driver reads it. */
export interface ConfigRow {
  /** Number of the change in the order of commits. */
  readonly number: string;
  readonly id: string;
  readonly time: Date;
  readonly principal: string;
  readonly project: string;
  readonly app_id: string;
  readonly revision: string;
  readonly update_mask: string;
  readonly ttl_seconds: string | null;
  readonly ttl_nanos: number | null;
  readonly previous_ttl_seconds: string | null;
  readonly previous_ttl_nanos: number | null;
}

/** Reads a change from its row. */
export const recordOf = (row: ConfigRow): ChangeRecord => ({
  id: row.id,
  time: row.time.toISOString(),
  principal: row.principal,
  project: row.project,
  appId: row.app_id,
  revision: Number(row.revision),
  updateMask: row.update_mask,
  tokenTtl: ttlOf(row.ttl_seconds, row.ttl_nanos),
  previousTokenTtl: ttlOf(row.previous_ttl_seconds, row.previous_ttl_nanos),
});

function ttlOf(seconds: string | null, nanos: number | null): TokenTtl | undefined {
  return seconds === null ? undefined : { seconds: BigInt(seconds), nanos: nanos ?? 0 };
}
