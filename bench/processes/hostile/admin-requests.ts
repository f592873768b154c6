import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { keepDoing, runAttack } from "../../support/reads/attack.js";

/** Requests of a web page after DNS rebinding, and requests that a proxy forwards. */
const FOREIGN_HOSTS = ["evil.example:9090", "localhost.evil.example", "192.0.2.1"];
const PATHS: readonly (readonly [method: string, path: string])[] = [
  ["POST", "/backup"],
  ["POST", "/mirror"],
  ["GET", "/mirror/responses?project=bench-project&app=a"],
  ["GET", "/clock"],
  ["POST", "/clock"],
];
const OPEN_PATHS: readonly (readonly [method: string, path: string])[] = [
  ["GET", "/metrics"],
  ["GET", "/readyz"],
];

/** Requests to the admin listener for foreign hosts, without a token, and with a token of a service. */
runAttack(async ({ adminUrl, token, seconds }) => {
  const tries = [
    ...FOREIGN_HOSTS.flatMap((host) => [...PATHS, ...OPEN_PATHS].map((of) => ({ of, headers: { host } }))),
    ...PATHS.map((of) => ({ of, headers: {} })),
    ...PATHS.map((of) => ({ of, headers: { authorization: `Bearer ${token}` } })),
  ];
  let rejected = 0;
  let responded = 0;
  const count = await keepDoing({ seconds, perSecond: 500, atOnce: 32 }, async (index) => {
    const { of, headers } = tries[index % tries.length] ?? { of: ["GET", "/"], headers: {} };
    const [method, path] = of;
    const sent = request(adminUrl + path, { method, headers });
    sent.end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    responded++;
    if (response.statusCode === 421 || response.statusCode === 401) rejected++;
  });
  return {
    did: `${count} requests to the admin listener`,
    checks: [
      {
        what: "requests that get 421 or 401",
        figure: `${rejected.toLocaleString("en-US")} of ${responded.toLocaleString("en-US")}`,
        target: "all",
        isMet: rejected === responded && responded > 0,
      },
    ],
  };
});
