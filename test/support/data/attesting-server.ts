import { writeFileSync } from "node:fs";
import { BASE_CONFIG, IOS_APP, PROJECT } from "../servers/project.js";
import { APPLE_APP, attestationConfig, Devices } from "./devices.js";

/** Name of the devices' app. */
export const APP = `projects/${PROJECT.number}/apps/${IOS_APP}`;

/**
 * Creates devices, and the configuration of servers that attest them. The issuer of app tokens does not depend on
 * addresses.
 *
 * @param rootFile path for the devices' root certificate.
 */
export async function attestingServer(rootFile: string): Promise<{ devices: Devices; config: object }> {
  const devices = await Devices.create(APP);
  writeFileSync(rootFile, devices.root);
  const config = {
    ...BASE_CONFIG,
    projects: [{ ...PROJECT, apps: [{ id: IOS_APP, ...APPLE_APP }] }],
    integrity: {
      attestation: attestationConfig(rootFile),
      tokens: { issuer: "https://tokens.example.com" },
    },
  };
  return { devices, config };
}
