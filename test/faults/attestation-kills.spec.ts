import { join } from "node:path";
import { expectStateToSurviveKills } from "../support/data/attestation-kills.js";
import { attestingServer } from "../support/data/attesting-server.js";
import { it } from "../support/servers/process-fixtures.js";
import { VIEWER } from "../support/servers/project.js";

it("a server that is killed at any point of exchanges lowers no counter, and accepts no challenge or token twice", async ({
  startServer,
  directory,
}) => {
  const { devices, config } = await attestingServer(join(directory, "root.pem"));
  const start = () => startServer(config);
  await expectStateToSurviveKills({ devices, start, token: (server) => server.token(VIEWER) });
});
