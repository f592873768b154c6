import { findManifest, type Manifest } from "../../backup/backup-directory.js";
import { expectRestored } from "../../backup/restore-backup.js";
import { planControlUpgrade } from "../../control/engines.js";
import type { Config } from "../../server/config/config-schema.js";
import { VERSION } from "../../server/operators/version.js";
import type { UpgradePlan } from "../../sql/migrations.js";
import { planStoreUpgrade } from "../../store/engines.js";
import { CommandFailure } from "../support/command-failure.js";
import { counted } from "../support/counted.js";
import { requireDirectory } from "../support/flag-files.js";
import { type Column, TextTable } from "../support/text-table.js";
import { type ControlFlags, serverConfig } from "../support/with-control.js";

/**
 * Prints the changes that this version makes to a stopped server, a backup or a cluster when it starts. Changes nothing.
 *
 * @throws CommandFailure if this version cannot open the data.
 */
export async function checkUpgrade(flags: ControlFlags): Promise<void> {
  const config = await serverConfig(flags);
  const { store, control, dataDir: directory } = config;
  const hasFiles = store.engine === "duckdb" || control.engine === "files";
  if (hasFiles) {
    await requireDirectory("--data-dir", directory);
    await expectRestored(directory);
  }
  const backup = hasFiles ? await findManifest(directory) : undefined;
  const plans = [
    await planStoreUpgrade(store, { directory }),
    await planControlUpgrade(control, { directory }),
  ];
  process.stdout.write(upgradeReport(plans, backup === undefined ? backupAdvice(config) : originOf(backup)));
  const newer = plans.find(isNewer);
  if (newer === undefined) return;
  throw new CommandFailure(
    `${newer.name} has schema version ${newer.found}, but waybill ${VERSION} supports at most version ${newer.supported}; ` +
      "run the newer version that wrote it, or restore a backup",
  );
}

const isNewer = ({ found, supported }: UpgradePlan): boolean => found > supported;

const COLUMNS: readonly Column<UpgradePlan>[] = [
  { title: "data", leastWidth: 20, text: ({ name }) => name },
  { title: "version", text: ({ found }) => (found === 0 ? "none" : String(found)) },
  { title: `waybill ${VERSION}`, text: ({ supported }) => String(supported) },
  { title: "changes", leastWidth: 20, text: changesOf },
];

function changesOf(plan: UpgradePlan): string {
  if (isNewer(plan)) return "cannot be opened";
  if (plan.found === 0) return "is created";
  return plan.changes.length === 0 ? "none" : plan.changes.join(", ");
}

/** Describes an upgrade. @param advice last line. */
export function upgradeReport(plans: readonly UpgradePlan[], advice: string): string {
  const table = new TextTable(COLUMNS, plans);
  const outcome = plans.some(isNewer) ? "" : `${outcomeOf(plans)}\n`;
  return `${table.head()}${plans.map((plan) => table.line(plan)).join("")}\n${outcome}${advice}\n`;
}

function outcomeOf(plans: readonly UpgradePlan[]): string {
  const changes = plans.filter(({ found }) => found > 0).flatMap((plan) => plan.changes);
  return changes.length === 0
    ? "The upgrade changes no data. You can go back to the previous version without a restore."
    : `The first start makes ${counted(changes.length, "change")}. After that, the previous version cannot start. To go back, restore the backup.`;
}

const originOf = ({ version, time }: Manifest): string =>
  `This is a backup of ${time}, by waybill ${version}.`;

function backupAdvice({ dataDir, store, control }: Config): string {
  const databases = [
    ...(store.engine === "clickhouse" ? [`the ClickHouse database ${store.database}`] : []),
    ...(control.engine === "postgres" ? ["the PostgreSQL database"] : []),
  ];
  const command = `waybill backup --data-dir ${dataDir} --out DIR --with-keys`;
  if (databases.length === 0) return `Before the upgrade, while the server runs: ${command}`;
  const files = store.engine === "duckdb" ? `, and run: ${command}` : "";
  return `Before the upgrade, back up ${databases.join(" and ")}${files}`;
}
