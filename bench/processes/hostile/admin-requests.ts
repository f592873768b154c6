import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { answerAttack, keepDoing } from "../../support/reads/attack.js";

/** Requests of a page from another name that now points to this machine, and requests passed on by a proxy. */
const FOREIGN_HOSTS = ["evil.example:9090", "localhost.evil.example", "192.0.2.1"];
const PATHS: readonly (readonly [method: string, path: string])[] = [
  ["POST", "/backup"],
  ["POST", "/mirror"],
  ["GET", "/mirror/answers?project=bench-project&app=a"],
  ["GET", "/clock"],
  ["POST", "/clock"],
];
const OPEN_PATHS: readonly (readonly [method: string, path: string])[] = [
  ["GET", "/metrics"],
  ["GET", "/readyz"],
];

/** Requests to the admin listener for foreign hosts, without a token, and with that of a service. */
answerAttack(async ({ adminUrl, token, seconds }) => {
  const tries = [
    ...FOREIGN_HOSTS.flatMap((host) => [...PATHS, ...OPEN_PATHS].map((of) => ({ of, headers: { host } }))),
    ...PATHS.map((of) => ({ of, headers: {} })),
    ...PATHS.map((of) => ({ of, headers: { authorization: `Bearer ${token}` } })),
  ];
  let rejected = 0;
  let answered = 0;
  const count = await keepDoing({ seconds, perSecond: 500, atOnce: 32 }, async (index) => {
    const { of, headers } = tries[index % tries.length] ?? { of: ["GET", "/"], headers: {} };
    const [method, path] = of;
    const sent = request(adminUrl + path, { method, headers });
    sent.end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    answer.resume();
    answered++;
    if (answer.statusCode === 421 || answer.statusCode === 401) rejected++;
  });
  return {
    did: `${count} requests to the admin listener`,
    checks: [
      {
        what: "requests that get 421 or 401",
        figure: `${rejected.toLocaleString("en-US")} of ${answered.toLocaleString("en-US")}`,
        reach: "all",
        reached: rejected === answered && answered > 0,
      },
    ],
  };
});
