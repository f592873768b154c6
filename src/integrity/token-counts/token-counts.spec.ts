import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbeddedRecords } from "../../control/embedded/embedded-records.js";
import { describeTokenCounts } from "../testing/token-counts-conformance.js";

describeTokenCounts("token counts in a file", async () => {
  const directory = await mkdtemp(join(tmpdir(), "waybill-token-counts-"));
  const opened: EmbeddedRecords[] = [];
  return {
    open: async (clock) => {
      const records = await EmbeddedRecords.open(directory, clock);
      opened.push(records);
      return records;
    },
    dispose: async () => {
      for (const records of opened) await records.close();
      await rm(directory, { recursive: true });
    },
  };
});
