import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbeddedRecords } from "../control/embedded/embedded-records.js";
import { systemClock } from "../model/clock.js";
import { describeRegistry } from "./testing/registry-conformance.js";

describeRegistry("Registry on embedded records", async () => {
  const directory = mkdtempSync(join(tmpdir(), "waybill-registry-"));
  const opened: EmbeddedRecords[] = [];
  return {
    open: async () => {
      const records = await EmbeddedRecords.open(directory, systemClock);
      opened.push(records);
      return records;
    },
    dispose: async () => {
      for (const records of opened) await records.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
});
