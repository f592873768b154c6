import { testDirectory } from "../../../test/support/test-directory.js";
import { testRecords } from "../../control/testing/test-records.js";
import { describeTokenCounts } from "../testing/token-counts-conformance.js";

describeTokenCounts("token counts in a file", async () => {
  const directory = await testDirectory();
  return { open: (clock) => testRecords(directory, clock) };
});
