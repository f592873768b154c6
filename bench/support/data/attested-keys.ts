import { createHash } from "node:crypto";
import { EmbeddedRecords } from "#dist/control/embedded/embedded-records.js";
import { additionOf } from "#dist/integrity/app-attest/attested-keys.js";
import { systemClock } from "#dist/model/clock.js";
import { countProgress } from "../progress.js";
import { PROJECT, REGISTERED_APP } from "../waybill-server.js";

const APP = { project: PROJECT, appId: REGISTERED_APP };
const TOGETHER = 1_000;
const COMPRESSED_POINT_BYTES = 33;

/** Returns the key id with an index. Like real ids, they are not sorted. */
export const keyIdOf = (index: number): string =>
  createHash("sha256").update(`key ${index}`).digest("base64url");

/** Writes attested keys of the registered app into a data directory. */
export async function fillAttestedKeys(directory: string, count: number): Promise<void> {
  const records = await EmbeddedRecords.open(directory, systemClock);
  const report = countProgress(`writing ${count} attested keys`, count);
  for (let first = 0; first < count; first += TOGETHER) {
    const indexes = Array.from({ length: Math.min(TOGETHER, count - first) }, (_, index) => first + index);
    await records.change(indexes.map((index) => additionOf(APP, keyAt(index))));
    report(first + indexes.length);
  }
  await records.close();
}

function keyAt(index: number) {
  const point = Buffer.alloc(COMPRESSED_POINT_BYTES, index % 256).toString("base64url");
  return {
    keyId: keyIdOf(index),
    point,
    counter: 0,
    environment: "production",
    createTime: Date.now(),
  } as const;
}
