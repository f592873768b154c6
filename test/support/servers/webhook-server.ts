import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { webhookReceiver } from "../../../src/incidents/webhooks/testing/webhook-receiver.js";
import { opening } from "../closing.js";
import { test as serving } from "./fixtures.js";

export const SECRET = Buffer.alloc(32, 9);

export const test = serving
  /** Receives and verifies messages. */
  .extend(
    "receiver",
    opening(() => webhookReceiver(SECRET)),
  )
  /** A file with the receiver's secret, for the configuration. */
  .extend("secretFile", async ({ directory }) => {
    const secretFile = join(directory, "webhook.secret");
    await writeFile(secretFile, `whsec_${SECRET.toString("base64")}\n`);
    return secretFile;
  });
