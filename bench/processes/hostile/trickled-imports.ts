import { request } from "node:http";
import { setInterval } from "node:timers/promises";
import { runAttack } from "../../support/reads/attack.js";

const IMPORTS = 16;
const INTERVAL_MS = 2_000;

/** Imports with bodies that arrive one byte at a time. */
runAttack(async ({ messagingDataUrl, project, token, seconds }) => {
  const imports = Array.from({ length: IMPORTS }, () => {
    const sent = request(`${messagingDataUrl}/v1beta1/projects/${project}/messageEvents:import`, {
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    });
    sent.on("error", () => {}).on("response", (response) => response.resume().on("error", () => {}));
    sent.write(" ");
    return sent;
  });
  const end = performance.now() + 1000 * seconds;
  for await (const _ of setInterval(INTERVAL_MS)) {
    for (const one of imports) if (!one.destroyed) one.write(" ");
    if (performance.now() > end) break;
  }
  return { did: `${IMPORTS} imports of one byte in ${INTERVAL_MS} ms` };
});
