import { testDirectory } from "../../test/support/test-directory.js";
import { testRecords } from "../control/testing/test-records.js";
import { describeRegistry } from "./testing/registry-conformance.js";

describeRegistry("Registry on embedded records", async () => {
  const directory = await testDirectory();
  return { open: () => testRecords(directory) };
});
