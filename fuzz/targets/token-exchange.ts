import { ok, strictEqual } from "node:assert/strict";
import { EncodedJson } from "../../src/api/encoded-response.js";
import { ScopeNames } from "../../src/auth/scopes.js";
import { systemClock } from "../../src/model/clock.js";
import { oauthRoutes, TOKEN_PATH } from "../../src/oauth/oauth-routes.js";
import { SUBJECT_TOKEN_AUDIENCE } from "../../src/oauth/subject-token.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { checkRejection } from "../oracles/rejection.js";
import { fuzzIssuer } from "./fuzz-issuer.js";

/** Placeholder in inputs for a valid subject token. */
const PLACEHOLDER = "SUBJECT";
const FORM = "application/x-www-form-urlencoded";
const GRANT = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange";
const TYPE = "subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Ajwt";

const route = oauthRoutes({
  issuer: fuzzIssuer,
  clock: systemClock,
  scopeNames: new ScopeNames(),
  baseUrl: () => "http://127.0.0.1:8080",
  basePath: "",
}).find(({ path }) => path === TOKEN_PATH);

let subjectToken: string;

/**
 * A form is rejected according to RFC 6749, or contains a subject token and is exchanged. The first line is
 * its media type.
 */
export const tokenExchange: FuzzTarget = {
  name: "token-exchange",
  boundedInputs: 2_000,
  seeds: [
    `${FORM}\n${GRANT}&${TYPE}&subject_token=${PLACEHOLDER}`,
    `${FORM}; charset=utf-8\n${GRANT}&${TYPE}&subject_token=${PLACEHOLDER}&scope=https://www.googleapis.com/auth/platform+x&audience=waybill`,
    `${FORM}\n${GRANT}&${TYPE}&subject_token=x&subject_token=y&requested_token_type=urn:ietf:params:oauth:token-type:access_token`,
    `${FORM}\n${GRANT}&client_secret=s&actor_token=a&resource=r&audience=a&audience=b&scope=`,
    `${FORM}\n%zz=%FF&&=&grant_type`,
    `text/plain\n${GRANT}`,
    `${FORM}\n\xff`,
  ],
  words: [
    ...["grant_type", "subject_token", "subject_token_type", "requested_token_type", "scope", "audience"],
    ...["resource"],
    ...["actor_token", "client_id", "client_secret", "client_assertion", GRANT, TYPE, PLACEHOLDER, FORM],
    ...["charset=", "waybill"],
    ...["=", "&", "+", "%20", "%00", "%FF", "\n", "https://www.googleapis.com/auth/app-platform", "eyJ"],
    ...["."],
  ],
  async start() {
    const scopes = ["https://www.googleapis.com/auth/platform"];
    const claims = { principal: "p", scopes, ttlSeconds: 86_400, audience: SUBJECT_TOKEN_AUDIENCE };
    subjectToken = await fuzzIssuer.sign(claims);
  },
  async run(input) {
    const [contentType = "", ...lines] = input.toString("latin1").split("\n");
    const body = Buffer.from(lines.join("\n").replaceAll(PLACEHOLDER, subjectToken), "latin1");
    const headers = { "content-type": contentType };
    const { signal } = new AbortController();
    try {
      const response = await route?.respond({
        requestId: "1",
        headers,
        authorization: undefined,
        query: "",
        signal,
        networkOf: () => "192.0.2.1",
        waitForSlot: async () => {},
        body: async () => body,
      });
      ok(response?.body instanceof EncodedJson);
      const members = JSON.parse(response.body.bytes.toString());
      if (response.status === undefined) {
        ok(body.includes(subjectToken) || body.includes("%"), "exchanged a form without a subject token");
        strictEqual(members.token_type, "Bearer");
        strictEqual(members.scope, "https://www.googleapis.com/auth/platform");
      } else {
        ok(response.status === 400 || response.status === 401, `${response.status}`);
        ok(/^[a-z_]+$/.test(members.error), members.error);
        ok(
          /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,500}$/.test(members.error_description),
          members.error_description,
        );
      }
    } catch (error) {
      checkRejection(error);
    }
  },
};
