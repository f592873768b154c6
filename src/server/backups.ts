import { removeLeftSnapshots } from "../backup/send-backup.js";
import type { Store } from "../store/store.js";
import type { BackupParts } from "./operators/backup-route.js";
import { VERSION } from "./operators/version.js";
import type { ServerParts } from "./server-parts.js";

/**
 * Prepares backups of a store, and removes the snapshot of a backup that a kill interrupted.
 *
 * @param store locks the data directory: no other process makes backups of it.
 */
export async function openBackups(
  { config: { dataDir }, metrics, logger, clock }: ServerParts,
  store: Store,
): Promise<BackupParts> {
  await removeLeftSnapshots(dataDir);
  const onSent = (began: number): void => metrics.lastBackup.set(began / 1000);
  return { dataDir, store, version: VERSION, clock, logger, onSent };
}
