import { expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { listOf } from "../support/data/delivery-data.js";
import { send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { test } from "../support/servers/fixtures.js";
import { ANDROID_APP, BASE_CONFIG, EDITOR, IOS_APP, PROJECT, VIEWER } from "../support/servers/project.js";

const CONFIG = `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;

test("the quota applies to each principal separately", async ({ openServer }) => {
  const limited = await openServer({ ...BASE_CONFIG, quota: { requestsPerMinute: 3 } });
  const [viewer, editor] = await Promise.all([limited.token(VIEWER), limited.token(EDITOR)]);
  const call = (own: string) => send(limited.integrityUrl, CONFIG, { token: own });
  for (let count = 0; count < 3; count++) expect((await call(viewer)).status).toBe(200);
  // While slow calls run, more become available.
  const { headers, text } = await poll(
    () => call(viewer),
    ({ status }) => status === 429,
  );
  const retrySeconds = headers["retry-after"];
  expect(Number(retrySeconds)).toBeGreaterThan(0);
  expect(Number(retrySeconds)).toBeLessThanOrEqual(20);
  expect(errorOf(text)).toMatchObject({
    status: "RESOURCE_EXHAUSTED",
    reason: "RATE_LIMIT_EXCEEDED",
    metadata: { requestsPerMinute: "3", retrySeconds },
  });
  expect((await call(editor)).status).toBe(200);
  const list = () => send(limited.messagingDataUrl, listOf(ANDROID_APP), { token: viewer });
  await poll(async () => (await list()).status, 429);
});

test("a change with preconditions counts as one request", async ({ openServer }) => {
  const limited = await openServer({ ...BASE_CONFIG, quota: { requestsPerMinute: 1 } });
  const response = await send(limited.integrityUrl, `${CONFIG}?updateMask=tokenTtl`, {
    method: "PATCH",
    token: await limited.token(EDITOR),
    headers: { "content-type": "application/json", "if-match": "*" },
    body: "{}",
  });
  expect([response.status, response.text]).toEqual([200, expect.stringContaining("tokenTtl")]);
});
