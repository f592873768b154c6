import { readFileSync } from "node:fs";

/** Reads an example file in base64 or PEM. */
function read(name: string): Buffer {
  const text = readFileSync(new URL(`../../examples/app-attest/${name}`, import.meta.url), "latin1");
  return Buffer.from(text.replace(/-----.*?-----/g, ""), "base64");
}

/**
 * The App Attest objects of the guide's synthetic device, so that each run starts from the same inputs. The challenge and
 * the client data are `challenge`.
 */
export const ATTESTED = {
  root: read("root.pem"),
  attestation: read("attestation.b64"),
  assertion: read("assertion.b64"),
  publicKey: read("public-key.pem"),
};
