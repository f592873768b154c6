import { Code, createClient, createRouterTransport } from "@connectrpc/connect";
import { withResolver } from "@waybill/client/support";
import { beforeEach, describe, expect, it, onTestFinished, test, vi } from "vitest";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../gen/health/v1/health_pb.js";
import { addHealth } from "./health.js";

const SERVICE = "test.v1.Service";

let stopping: AbortController;
let ready: () => Promise<void>;
let looks: number;
beforeEach(() => {
  stopping = new AbortController();
  ready = async () => {};
  looks = 0;
});

const serving = async (): Promise<void> => {};
const failing = (): Promise<void> => Promise.reject(new Error("not now"));

function client() {
  const options = {
    services: [SERVICE],
    ready: () => {
      looks++;
      return ready();
    },
    stopping: stopping.signal,
    errorDomain: "test.waybill",
  };
  return createClient(
    Health,
    createRouterTransport((router) => addHealth(router, options)),
  );
}

describe("a health check over gRPC", () => {
  test.each([
    ["of the server", "", serving, Status.SERVING],
    ["of its service", SERVICE, serving, Status.SERVING],
    ["of the server that is not ready", "", failing, Status.NOT_SERVING],
    ["of its service that is not ready", SERVICE, failing, Status.NOT_SERVING],
  ])("%s returns the status", async (_name, service, state, status) => {
    ready = state;
    expect((await client().check({ service })).status).toBe(status);
  });

  it("for an unknown service fails with NOT_FOUND", async () => {
    await expect(client().check({ service: "x" })).rejects.toMatchObject({ code: Code.NotFound });
  });

  it("during shutdown returns NOT_SERVING, even if the server is ready", async () => {
    stopping.abort();
    expect((await client().check({})).status).toBe(Status.NOT_SERVING);
  });

  it("shares one readiness check with all concurrent health checks", async () => {
    const { promise: isReady, resolve: becomeReady } = withResolver();
    ready = () => isReady;
    const { check } = client();
    const checks = Array.from({ length: 100 }, () => check({}));
    await expect.poll(() => looks).toBe(1);
    becomeReady();
    expect(new Set((await Promise.all(checks)).map(({ status }) => status))).toEqual(
      new Set([Status.SERVING]),
    );
    expect(looks).toBe(1);
    ready = failing;
    expect((await check({})).status).toBe(Status.NOT_SERVING);
  });
});

test("a health list contains the server itself and its service", async () => {
  const { statuses } = await client().list({});
  expect(Object.entries(statuses).map(([name, { status }]) => [name, status])).toEqual([
    ["", Status.SERVING],
    [SERVICE, Status.SERVING],
  ]);
});

describe("a health watch", () => {
  it("reports each change and the shutdown, and then ends", async () => {
    ready = failing;
    const statuses: Status[] = [];
    for await (const { status } of client().watch({ service: SERVICE })) {
      statuses.push(status);
      if (statuses.length === 1) ready = serving;
      if (statuses.length === 2) stopping.abort();
    }
    expect(statuses).toEqual([Status.NOT_SERVING, Status.SERVING, Status.NOT_SERVING]);
  });

  it("ends when the server stops, even if it was not ready", async () => {
    ready = failing;
    const statuses: Status[] = [];
    for await (const { status } of client().watch({ service: SERVICE })) {
      statuses.push(status);
      stopping.abort();
    }
    expect(statuses).toEqual([Status.NOT_SERVING]);
  });

  it("shares one readiness check per second with all other watches, until the last one ends", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { watch } = client();
    const leaving = Array.from({ length: 200 }, () => new AbortController());
    const first: Status[] = [];
    const watching = leaving.map(async ({ signal }) => {
      for await (const { status } of watch({}, { signal })) first.push(status);
    });
    const ended = Promise.allSettled(watching);
    await expect.poll(() => first.length).toBe(200);
    const before = looks;
    expect(vi.getTimerCount()).toBe(1);
    for (let second = 1; second <= 3; second++) {
      await vi.advanceTimersByTimeAsync(1_000);
      expect(looks).toBe(before + second);
    }
    for (const one of leaving) one.abort();
    await ended;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends when its client disconnects", async () => {
    const leaving = new AbortController();
    const watching = async (): Promise<void> => {
      for await (const _ of client().watch({}, { signal: leaving.signal })) leaving.abort();
    };
    await expect(watching()).rejects.toMatchObject({ code: Code.Canceled });
  });

  it("for an unknown service stays open and reports SERVICE_UNKNOWN", async () => {
    for await (const { status } of client().watch({ service: "x" })) {
      expect(status).toBe(Status.SERVICE_UNKNOWN);
      stopping.abort();
    }
  });
});
