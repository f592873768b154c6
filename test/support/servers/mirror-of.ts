import { BASE_CONFIG, PROJECT } from "./project.js";
import type { Server } from "./server.js";

/** Creates a server configuration that mirrors another server's project. @param mirror additional mirror keys. */
export const mirrorOf = (upstream: Server, credentialsFile: string, mirror: object = {}): object => ({
  ...BASE_CONFIG,
  projects: [
    {
      ...PROJECT,
      deliveryData: {
        source: "mirror",
        mirror: { url: upstream.messagingDataUrl, credentialsFile, ...mirror },
      },
    },
  ],
});
