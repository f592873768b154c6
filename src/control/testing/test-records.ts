import { onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../model/clock.js";
import { EmbeddedRecords } from "../embedded/embedded-records.js";

/** Opens the records in a directory for the current test. They are closed when the test has finished. */
export async function testRecords(directory: string, clock: Clock = systemClock): Promise<EmbeddedRecords> {
  const records = await EmbeddedRecords.open(directory, clock);
  onTestFinished(() => records.close());
  return records;
}
