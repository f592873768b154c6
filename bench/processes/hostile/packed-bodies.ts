import { keepDoing, runAttack } from "../../support/reads/attack.js";
import { REGISTERED_APP } from "../../support/waybill-server.js";

/** A frame that declares a window of 8 MiB and is empty (RFC 8878 §3.1.1.1.2). */
const EMPTY_FRAME = Buffer.from("28b52ffd0068010000", "hex");
const BODY = Buffer.concat(Array.from({ length: 7_000 }, () => EMPTY_FRAME));

/** Messages per label, as on a busy day with the maximum number of labels. */
runAttack(async ({ integrityUrl, messagingDataUrl, project, token, seconds }) => {
  const config = `${integrityUrl}/v1/projects/${project}/apps/${REGISTERED_APP}/appAttestConfig`;
  const form = "application/x-www-form-urlencoded";
  const requests: readonly [url: string, method: string, headers: Readonly<Record<string, string>>][] = [
    [`${integrityUrl}/oauth2/token`, "POST", { "content-type": form }],
    [`${config}?updateMask=*`, "PATCH", { "content-type": "application/json" }],
    [config, "POST", { "content-type": form, "x-http-method-override": "GET" }],
    [
      `${messagingDataUrl}/v1beta1/projects/${project}/messageEvents:import`,
      "POST",
      { "content-type": "application/x-ndjson" },
    ],
  ];
  const count = await keepDoing({ seconds, perSecond: 8, atOnce: 8 }, async (index) => {
    const [url, method, headers] = requests[index % requests.length] ?? ["", "", {}];
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        "content-encoding": "zstd",
        ...(index > 0 && { authorization: `Bearer ${token}` }),
      },
      body: BODY,
    });
    await response.arrayBuffer();
  });
  return { did: `${count} packed bodies of ${BODY.length} bytes` };
});
