import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { keepDoing, runAttack } from "../../support/reads/attack.js";
import { fetchBytes } from "../../support/reads/fetch-bytes.js";

const CONNECTIONS = 96;

/** Calls with random opaque tokens on many connections. The server has to introspect each token at the issuer. */
runAttack(async ({ messagingDataUrl, project, seconds }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const url = `${messagingDataUrl}/v1beta1/projects/${project}/androidApps/app/deliveryData`;
  const sent = await keepDoing({ seconds, perSecond: 1_000, atOnce: CONNECTIONS }, () =>
    fetchBytes(url, randomUUID(), agent),
  );
  return { did: `${sent} calls with tokens that nobody issued, on ${CONNECTIONS} connections` };
});
