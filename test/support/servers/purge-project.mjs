// Erases a project in a data directory with the purge job of the built server: purge-project.mjs DIRECTORY PROJECT. Prints a line
// before and after each step, and ends when the project is purged.
import { setImmediate as nextTick } from "node:timers/promises";
import { EmbeddedRecords } from "../../../dist/control/embedded/embedded-records.js";
import { ProcessLeases } from "../../../dist/control/embedded/process-leases.js";
import { eraseRecords } from "../../../dist/control/erase-records.js";
import { PROJECT_KINDS } from "../../../dist/control/records.js";
import { systemClock } from "../../../dist/model/clock.js";
import { PurgeJob } from "../../../dist/registry/purge/purge-job.js";
import { DuckDbStore } from "../../../dist/store/duckdb/duckdb-store.js";
import "./stop-with-parent.mjs";

const [directory, project] = process.argv.slice(2);
const store = await DuckDbStore.open({ directory, memoryLimit: "256MB" });
const records = await EmbeddedRecords.open(directory, systemClock);

/** Reports a step to the parent, which may kill this process before or after it. */
const reported = (erase) => async (project) => {
  process.stdout.write("step\n");
  await nextTick();
  const isDone = await erase(project);
  process.stdout.write("step\n");
  return isDone;
};

let isPurged = false;
await new Promise((resolve, reject) => {
  const job = new PurgeJob({
    source: {
      dueForPurge: async () => (isPurged ? [] : [project]),
      purged: async () => {
        isPurged = true;
      },
    },
    erase: [
      reported((project) => store.erase(project)),
      reported((project) => eraseRecords(records, PROJECT_KINDS, project)),
    ],
    leases: new ProcessLeases(systemClock),
    time: async () => Date.now(),
    clock: systemClock,
    observer: { purged: resolve, failed: reject },
    confirmationMs: 0,
  });
  job.runner.start();
});
process.stdout.write("purged\n");
process.exit();
