import { BASE_CONFIG, PROJECT } from "./project.js";
import type { Server } from "./server.js";

/**
 * Makes the configuration of a server that mirrors the project of another.
 *
 * @param mirror further keys of the mirror.
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
