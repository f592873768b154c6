import { Command } from "commander";
import { findManifest } from "../../backup/backup-directory.js";
import { expectRestored } from "../../backup/restore-backup.js";
import { EmbeddedRecords } from "../../control/embedded/embedded-records.js";
import { readKeys } from "../../control/keys.js";
import type { Json } from "../../control/records.js";
import { systemClock } from "../../model/clock.js";
import { loadConfig } from "../../server/config/config.js";
import type { Config } from "../../server/config/config-schema.js";
import { readConnectionOptions } from "../../store/clickhouse/clickhouse-engine.js";
import { type Copied, copyData } from "../../store/copy/copy-data.js";
import { CommandFailure, failClearly } from "../support/command-failure.js";
import { requireDirectory } from "../support/flag-files.js";
import { ProgressBar } from "../support/progress-bar.js";
import { withControl } from "../support/with-control.js";

const EXAMPLE = `
Example:
  $ waybill copy --from /var/lib/waybill --to cluster.yaml --with-keys
  $ waybill serve --config cluster.yaml`;

interface CopyFlags {
  readonly from: string;
  readonly to: string;
  readonly withKeys?: true;
}

/** `waybill copy`: copies one machine's data to a cluster. */
export function copyCommand(): Command {
  return new Command("copy")
    .description("Copy a stopped server's data into an empty cluster")
    .requiredOption("--from <dir>", "data directory of the stopped server, or a backup; it is not changed")
    .requiredOption("--to <file>", "configuration file of the cluster; its servers must not run yet")
    .option("--with-keys", "also copy the keys, so that tokens and page tokens stay valid")
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async ({ from, to, withKeys }: CopyFlags) => {
        const config = await loadConfig(to);
        await requireDirectory("--from", from);
        await expectRestored(from);
        await findManifest(from);
        const { problems, keys, ...copied } = await copy(from, config, withKeys === true);
        for (const problem of problems) process.stdout.write(`${problem}\n`);
        if (problems.length > 0) {
          throw new CommandFailure(
            `the copy has ${problems.length} differences; empty the cluster and copy again`,
          );
        }
        process.stdout.write(`${summaryOf(copied, keys)}\n`);
      }),
    );
}

async function copy(
  from: string,
  config: Config,
  withKeys: boolean,
): Promise<Copied & { readonly keys: number }> {
  const { store } = config;
  if (store.engine !== "clickhouse") throw new CommandFailure("--to: store.engine must be clickhouse");
  // The engines are loaded only for this command.
  const { DuckDbSource } = await import("../../store/duckdb/copy/duckdb-source.js");
  const { ClickHouseTarget } = await import("../../store/clickhouse/copy/clickhouse-target.js");
  const source = await DuckDbSource.open(from);
  const records = await EmbeddedRecords.openExisting(from, systemClock);
  try {
    const keys = withKeys && records !== undefined ? await readKeys(records) : new Map<string, Json>();
    if (withKeys && keys.size === 0) throw new CommandFailure(`--with-keys: there are no keys in ${from}`);
    return await withControl(config, async (control) => {
      const { days: ledger, copy } = control;
      if (ledger === undefined || copy === undefined)
        throw new CommandFailure("--to: control.engine must be postgres");
      const { database, cluster } = store;
      const connection = await readConnectionOptions(store);
      const target = await ClickHouseTarget.open({ ...connection, database, cluster, ledger });
      try {
        const copied = await withProgress((onTotal, onRows) =>
          copyData({ source, records, keys, target, control, ledger, copy, onTotal, onRows }),
        );
        return { ...copied, keys: keys.size };
      } finally {
        await target.close();
      }
    });
  } finally {
    source.close();
    await records?.close();
  }
}

async function withProgress<T>(
  work: (onTotal: (rows: number) => void, onRows: (rows: number) => void) => Promise<T>,
): Promise<T> {
  let bar: ProgressBar | undefined;
  const onTotal = (rows: number): void => {
    bar = new ProgressBar("data", rows, { name: "rows", size: 1 });
  };
  try {
    return await work(onTotal, (rows) => bar?.add(rows));
  } finally {
    bar?.stop();
  }
}

function summaryOf(
  { projects, days, states, entries, responses, versions, changes }: Omit<Copied, "problems">,
  keys: number,
): string {
  const ofMirrors =
    responses + versions > 0 ? `${responses} upstream responses and ${versions} earlier versions; ` : "";
  return (
    `copied ${days} days of ${projects} projects: ${states} message states, ${entries} entries; ` +
    `${ofMirrors}${changes} configuration changes, ${keys} keys; all counts agree`
  );
}
