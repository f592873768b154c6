import { BASE_CONFIG, PROJECT } from "./project.js";
import type { Server } from "./server.js";

/**
 * Makes a server configuration that mirrors another server's project.
 *
 * @param mirror further mirror keys.
 */
export const mirrorOf = (original: Server, credentialsFile: string, mirror: object = {}): object => ({
  ...BASE_CONFIG,
  projects: [
    {
      ...PROJECT,
      deliveryData: {
        source: "mirror",
        mirror: { url: original.messagingDataUrl, credentialsFile, ...mirror },
      },
    },
  ],
});
