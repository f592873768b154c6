import { beforeEach, describe, expect, it, test, vi } from "vitest";
import type { ApiError } from "../../api/api-error.js";
import { Scope } from "../../gen/waybill/auth/v1/authorization_pb.js";
import {
  MAX_ADDRESSES_OF_REJECTED_TOKENS,
  MAX_INTROSPECTIONS,
  MAX_REJECTED_TOKENS_OF_ADDRESS,
  MAX_WAIT_MS,
  MAX_WAITING_INTROSPECTIONS_OF_CALLER,
} from "../../limits/request-limits.js";
import type { Clock } from "../../model/clock.js";
import {
  type IntrospectionServer,
  introspectionServer,
  type Reply,
} from "../testing/introspection-server.js";
import { ManualClock } from "../testing/manual-clock.js";
import { rejectionOf } from "../testing/rejection-of.js";
import { type SigningKey, signingKey } from "../testing/signing-key.js";
import { Authenticator } from "./authenticator.js";
import { type IntrospectionEndpoint, remoteIntrospection } from "./introspection-endpoint.js";
import { fixedKeys } from "./key-source.js";

const KEYED = "https://keyed.example";
const ASKED = "https://asked.example";
const SECOND = "https://second.example";
const CLIENT = { clientId: "waybill", clientSecret: async () => "secret" };

let clock: ManualClock;
let key: SigningKey;
let first: IntrospectionServer;
let second: IntrospectionServer;
let authenticator: Authenticator;

beforeEach(async () => {
  clock = new ManualClock();
  [key, first, second] = await Promise.all([signingKey("key"), introspectionServer(), introspectionServer()]);
  authenticator = new Authenticator(
    [
      { issuer: KEYED, keys: fixedKeys({ keys: [key.publicJwk] }) },
      { issuer: ASKED, introspection: { endpoint: remoteIntrospection(first.url, CLIENT) } },
      {
        issuer: SECOND,
        introspection: { endpoint: remoteIntrospection(second.url, CLIENT), cacheMs: 5_000 },
        audience: ["https://api.example", "api"],
      },
    ],
    { clock },
  );
  return () => Promise.all([first.close(), second.close()]);
});

const authenticate = (token: string) => authenticator.authenticate(`Bearer ${token}`);
const now = () => Math.floor(clock.wall() / 1_000);
type Claims = Readonly<Record<string, unknown>>;
const good = (more: Claims = {}): Reply => ({
  active: true,
  sub: "someone",
  scope: "https://www.googleapis.com/auth/platform",
  ...more,
});
/** Tokens in the requests that a server received. */
const askedOf = ({ questions }: IntrospectionServer) => questions.map(({ form }) => form.get("token"));

describe("an introspection request", () => {
  it("is sent as a form with the token and the client's credentials", async () => {
    first.reply(() => good());
    await authenticate("abc+/=");
    const [question] = first.questions;
    expect(question?.method).toBe("POST");
    expect(question?.headers["content-type"]).toMatch(/^application\/x-www-form-urlencoded/);
    expect(question?.headers.accept).toBe("application/json");
    expect(Object.fromEntries(question?.form ?? [])).toEqual({
      token: "abc+/=",
      token_type_hint: "access_token",
    });
    expect(question?.headers.authorization).toBe(`Basic ${btoa("waybill:secret")}`);
  });

  it("contains form-encoded credentials", async () => {
    const endpoint = remoteIntrospection(first.url, {
      clientId: "way:bill",
      clientSecret: async () => "p% ä+",
    });
    await endpoint.ask("token", MAX_WAIT_MS);
    expect(first.questions[0]?.headers.authorization).toBe(`Basic ${btoa("way%3Abill:p%25+%C3%A4%2B")}`);
  });
});

describe("a token that its issuer reports as active", () => {
  test.each<[string, () => Claims]>([
    ["no more claims", () => ({})],
    [
      "null for omitted claims",
      () => ({ iss: null, aud: null, exp: null, nbf: null, email: null, cnf: null }),
    ],
    ["the issuer's name", () => ({ iss: ASKED })],
    ["the audience", () => ({ aud: "waybill" })],
    ["the audience among others", () => ({ aud: ["elsewhere", "waybill"] })],
    ["an expiration time in the future", () => ({ exp: now() + 1 })],
    ["an expiration time just within the leeway", () => ({ exp: now() - 59 })],
    ["a start time just within the leeway", () => ({ nbf: now() + 60 })],
    ["the type bearer", () => ({ token_type: "bearer" })],
    ["its use for a type", () => ({ token_type: "access_token" })],
  ])("is accepted if the response has %s", async (_what, claims) => {
    first.reply(() => good(claims()));
    const principal = await authenticate("opaque");
    expect(principal).toMatchObject({ name: "someone", issuer: ASKED });
    expect(principal.scopes).toEqual(new Set([Scope.PLATFORM]));
  });

  test.each<[Claims, string]>([
    [{ email: "a@example.com" }, "a@example.com"],
    [{ email: "a@example.com", email_verified: true }, "a@example.com"],
    [{ email: "a@example.com", email_verified: "true" }, "a@example.com"],
    ...[false, "False", 0, null].map((verified): [Claims, string] => [
      { email: "a@example.com", email_verified: verified },
      "someone",
    ]),
    [{ username: "name" }, "someone"],
    [{ sub: undefined, username: "name" }, "name"],
  ])("with the response %j belongs to %s", async (claims, name) => {
    first.reply(() => good(claims));
    expect((await authenticate("opaque")).name).toBe(name);
  });

  test.each<[string, () => Claims, string]>([
    ["another issuer", () => ({ iss: "https://other.example" }), "ISSUER_NOT_TRUSTED"],
    ["the issuer with a slash", () => ({ iss: `${ASKED}/` }), "ISSUER_NOT_TRUSTED"],
    ["another audience", () => ({ aud: "elsewhere" }), "AUDIENCE_MISMATCH"],
    ["the audience of another issuer", () => ({ aud: ["api"] }), "AUDIENCE_MISMATCH"],
    ["an unknown audience", () => ({ aud: [] }), "AUDIENCE_MISMATCH"],
    ["a start time in the future", () => ({ nbf: now() + 62 }), "NOT_YET_VALID"],
    ["a type that is bound to a key", () => ({ token_type: "DPoP" }), "TYPE_NOT_ACCEPTED"],
    ["a type of JWT", () => ({ token_type: "dpop+jwt" }), "TYPE_NOT_ACCEPTED"],
    ["a key that it is bound to", () => ({ cnf: { jkt: "x" } }), "KEY_BOUND"],
    [
      "a certificate that it is bound to",
      () => ({ token_type: "Bearer", cnf: { "x5t#S256": "x" } }),
      "KEY_BOUND",
    ],
    ["the type refresh_token", () => ({ token_type: "refresh_token" }), "TYPE_NOT_ACCEPTED"],
    ["a type that is not a string", () => ({ token_type: 7 }), "TYPE_NOT_ACCEPTED"],
    ["no principal", () => ({ sub: undefined }), "PRINCIPAL_MISSING"],
    ["an empty principal", () => ({ sub: "" }), "PRINCIPAL_MISSING"],
    ["a principal that is not a string", () => ({ sub: undefined, username: 7 }), "PRINCIPAL_MISSING"],
  ])("is rejected if the response has %s", async (_what, claims, problem) => {
    first.reply(() => good(claims()));
    expect(await rejectionOf(() => authenticate("opaque"))).toMatchObject({
      reason: "ACCESS_TOKEN_INVALID",
      httpStatus: 401,
      metadata: { problem },
    });
  });

  it("is rejected after it has expired", async () => {
    first.reply(() => good({ exp: now() - 61 }));
    expect((await rejectionOf(() => authenticate("opaque"))).reason).toBe("ACCESS_TOKEN_EXPIRED");
  });
});

describe("a token that its issuer reports as inactive", () => {
  it("is rejected as invalid", async () => {
    const rejection = await rejectionOf(() => authenticate("opaque"));
    expect(rejection).toMatchObject({
      reason: "ACCESS_TOKEN_INVALID",
      httpStatus: 401,
      metadata: { problem: "INACTIVE" },
    });
    expect(rejection.headers["www-authenticate"]).toContain('error="invalid_token"');
  });

  it("is rejected even if the response has valid claims", async () => {
    first.reply(() => ({ ...good(), active: false }));
    expect((await rejectionOf(() => authenticate("opaque"))).metadata).toEqual({ problem: "INACTIVE" });
  });

  it("is reported as expired if the response has a past exp", async () => {
    first.reply(() => ({ active: false, exp: now() - 61 }));
    expect((await rejectionOf(() => authenticate("opaque"))).reason).toBe("ACCESS_TOKEN_EXPIRED");
  });
});

describe("Introspector asks", () => {
  it("no issuer about a JWT of an issuer with keys", async () => {
    const claims = { iss: KEYED, aud: "waybill", sub: "someone", exp: now() + 60 };
    expect((await authenticate(await key.sign(claims))).issuer).toBe(KEYED);
    const other = await signingKey("key");
    const rejection = await rejectionOf(async () => authenticate(await other.sign(claims)));
    expect(rejection.metadata).toEqual({ problem: "SIGNATURE_INVALID" });
    expect([...first.questions, ...second.questions]).toEqual([]);
  });

  it("only the issuer that a JWT names", async () => {
    second.reply(() => good());
    const token = await key.sign({ iss: SECOND });
    expect((await authenticate(token)).issuer).toBe(SECOND);
    expect(first.questions).toEqual([]);
    expect(askedOf(second)).toEqual([token]);
  });

  it("no issuer about a JWT of an unknown issuer", async () => {
    const rejection = await rejectionOf(async () =>
      authenticate(await key.sign({ iss: "https://other.example" })),
    );
    expect(rejection.metadata).toEqual({ problem: "ISSUER_NOT_TRUSTED" });
    expect([...first.questions, ...second.questions]).toEqual([]);
  });

  it("issuers one by one about an opaque token until one accepts it", async () => {
    second.reply(() => good({ aud: "api" }));
    expect((await authenticate("opaque")).issuer).toBe(SECOND);
    expect([askedOf(first), askedOf(second)]).toEqual([["opaque"], ["opaque"]]);
    first.reply(() => good());
    expect((await authenticate("another")).issuer).toBe(ASKED);
    expect(askedOf(second)).toEqual(["opaque"]);
  });

  test.each([
    ["the first", () => first],
    ["the second", () => second],
  ])("all issuers and reports the problem from the one that knows the token: %s", async (_which, who) => {
    who().reply(() => good({ aud: "elsewhere" }));
    expect((await rejectionOf(() => authenticate("opaque"))).metadata).toEqual({
      problem: "AUDIENCE_MISMATCH",
    });
  });

  test.each(["a b", "a\u00ff", "a=b", '"a"', "=", "a,b", "a".repeat(16_385)])(
    "no issuer about a malformed token (%#)",
    async (token) => {
      expect((await rejectionOf(() => authenticate(token))).metadata).toEqual({ problem: "MALFORMED" });
      expect([...first.questions, ...second.questions]).toEqual([]);
    },
  );
});

describe("an introspection endpoint that fails", () => {
  const failures: [string, () => Reply][] = [
    ["with a status", () => ({ status: 500, body: '{"active":true,"sub":"someone"}' })],
    ["because the client is not known", () => ({ status: 401, body: "{}" })],
    ["with another success", () => ({ status: 201, body: '{"active":true,"sub":"someone"}' })],
    ["with what is no JSON", () => ({ status: 200, body: '{"active":true' })],
    ["with a list", () => ({ status: 200, body: '[{"active":true}]' })],
    ["with a text", () => ({ status: 200, body: '"active"' })],
    ["with null", () => ({ status: 200, body: "null" })],
    ["without saying whether it is active", () => ({ sub: "someone" })],
    ["with a text for a boolean", () => good({ active: "true" })],
    ["with a text for an end", () => good({ exp: "2000000000" })],
    ["with an audience that is not a string", () => good({ aud: [7] })],
    ["with an issuer that is not a string", () => good({ iss: 7 })],
    ["with megabytes", () => good({ pad: "x".repeat(2 ** 21) })],
    ["with a redirect", () => ({ status: 307, headers: { location: second.url }, body: "" })],
  ];

  test.each(failures)("makes introspection unavailable if it %s", async (_how, reply) => {
    second.reply(() => good());
    const alone = new Authenticator(
      [{ issuer: ASKED, introspection: { endpoint: remoteIntrospection(first.url, CLIENT) } }],
      { clock },
    );
    first.reply(reply);
    const rejection = await rejectionOf(() => alone.authenticate("Bearer opaque-token"));
    expect(rejection).toMatchObject({
      reason: "INTROSPECTION_UNAVAILABLE",
      httpStatus: 503,
      metadata: { issuer: ASKED },
    });
    expect(rejection.headers["retry-after"]).toBe("5");
    expect(String((rejection.cause as Error).message)).not.toMatch(/opaque-token|secret/);
    expect(second.questions).toEqual([]);
    // The failure is not cached.
    first.reply(() => good());
    expect((await alone.authenticate("Bearer opaque-token")).name).toBe("someone");
  });

  it("does not prevent introspection at another issuer", async () => {
    first.reply(() => ({ status: 500, body: "" }));
    second.reply(() => good());
    expect((await authenticate("opaque")).issuer).toBe(SECOND);
  });

  it("makes introspection unavailable if no other issuer knows the token", async () => {
    first.reply(() => ({ status: 500, body: "" }));
    expect((await rejectionOf(() => authenticate("opaque"))).reason).toBe("INTROSPECTION_UNAVAILABLE");
  });

  it("does not hide the problem that another issuer has reported", async () => {
    first.reply(() => ({ status: 500, body: "" }));
    second.reply(() => good({ aud: "elsewhere" }));
    expect((await rejectionOf(() => authenticate("opaque"))).metadata).toEqual({
      problem: "AUDIENCE_MISMATCH",
    });
  });
});

describe("an introspection result is cached", () => {
  const askedAgain = async (token = "opaque") => {
    const before = first.questions.length;
    await Promise.resolve()
      .then(() => authenticate(token))
      .catch(() => {});
    return first.questions.length > before;
  };

  it("for a minute, and returned synchronously", async () => {
    first.reply(() => good({ exp: now() + 3_600 }));
    const principal = await authenticate("opaque");
    clock.advance(59_999);
    expect(authenticate("opaque")).toBe(principal);
    clock.advance(1);
    expect(await askedAgain()).toBe(true);
  });

  it("only until the token expires", async () => {
    const end = now() + 10;
    first.reply(() => good({ exp: end }));
    await authenticate("opaque");
    clock.advance(end * 1_000 - clock.wall() - 1);
    expect(await askedAgain()).toBe(false);
    clock.advance(1);
    expect(await askedAgain()).toBe(true);
  });

  it("for the time that is configured for its issuer", async () => {
    second.reply(() => good());
    await authenticate("opaque");
    clock.advance(4_999);
    expect(await askedAgain()).toBe(false);
    clock.advance(1);
    expect(await askedAgain()).toBe(true);
  });

  it("for ten seconds if the token is rejected", async () => {
    await rejectionOf(() => authenticate("opaque"));
    first.reply(() => good());
    clock.advance(9_999);
    expect(() => authenticate("opaque")).toThrow("active");
    clock.advance(1);
    expect((await authenticate("opaque")).name).toBe("someone");
  });

  it("under the whole token, not only a part of it", async () => {
    first.reply((token) => ({ active: token === "opaque", sub: "someone" }));
    await authenticate("opaque");
    for (const other of ["opaque=", "Opaque", "opaqu", "opaque2"]) {
      expect((await rejectionOf(() => authenticate(other))).metadata).toEqual({ problem: "INACTIVE" });
    }
  });

  it("as rejected once the issuer no longer reports the token as active", async () => {
    first.reply(() => good());
    await authenticate("opaque");
    first.reply(() => ({ active: false }));
    clock.advance(60_000);
    await rejectionOf(() => authenticate("opaque"));
    expect(() => authenticate("opaque")).toThrow("active");
  });
});

describe("a rejected token is cached for the network that has sent it:", () => {
  const reject = (token: string, network: string): Promise<ApiError> =>
    rejectionOf(() => authenticator.authenticate(`Bearer ${token}`, () => network));

  /** Introspects a token. Returns true if the issuer got a request. */
  const isAsked = async (token: string, network: string): Promise<boolean> => {
    const before = first.questions.length;
    await reject(token, network);
    return first.questions.length > before;
  };

  it.each<[string, other: string, asked: boolean]>([
    ["the same network", "192.0.2.1", false],
    ["another network", "192.0.2.2", true],
  ])("when %s sends it again, %s, the issuers that are called are %s", async (_, other, asked) => {
    await reject("bad", "192.0.2.1");
    expect(await isAsked("bad", other)).toBe(asked);
  });

  it.each<[string, tokens: number, networkOf: (n: number) => string]>([
    ["another network sends many others", 3 * MAX_REJECTED_TOKENS_OF_ADDRESS, () => "192.0.2.2"],
    ["other networks send others", MAX_ADDRESSES_OF_REJECTED_TOKENS - 1, (n) => `198.51.100.${n}`],
    ["its own sends others", MAX_REJECTED_TOKENS_OF_ADDRESS - 1, () => "192.0.2.1"],
  ])("even if %s", async (_, tokens, networkOf) => {
    const { endpoint } = openEndpoint();
    authenticator = only(endpoint, { perSecond: 1_000 });
    const asked = vi.spyOn(endpoint, "ask");
    await reject("bad", "192.0.2.1");
    for (let n = 0; n < tokens; n++) await reject(`other-${n}`, networkOf(n));
    const before = asked.mock.calls.length;
    await reject("bad", "192.0.2.1");
    expect(asked.mock.calls.length).toBe(before);
  });
});

/** Creates an endpoint that responds immediately: tokens that begin with `good` are active. */
function openEndpoint(): { endpoint: IntrospectionEndpoint } {
  const ask: IntrospectionEndpoint["ask"] = async (token) => ({
    active: token.startsWith("good"),
    sub: token,
  });
  return { endpoint: { ask } };
}

/** Creates an endpoint that responds only on {@link release}: tokens that begin with `good` are active. */
function heldEndpoint() {
  const held: { readonly token: string; readonly respond: () => void }[] = [];
  const endpoint: IntrospectionEndpoint = {
    ask: (token) =>
      new Promise((resolve) => {
        held.push({ token, respond: () => resolve({ active: token.startsWith("good"), sub: token }) });
      }),
  };
  /** Lets the calls in progress end. */
  const release = (): void => {
    for (const { respond } of held.splice(0)) respond();
  };
  const tokens = (): string[] => held.map(({ token }) => token);
  return { endpoint, held, tokens, release };
}

const only = (
  endpoint: IntrospectionEndpoint,
  source: { readonly cacheMs?: number; readonly perSecond?: number } = {},
  of: Clock = clock,
): Authenticator =>
  new Authenticator([{ issuer: ASKED, introspection: { endpoint, ...source } }], { clock: of });

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("concurrent introspection", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    return () => void vi.useRealTimers();
  });

  const send = (one: Authenticator, token: string, network = "192.0.2.1") =>
    Promise.resolve(one.authenticate(`Bearer ${token}`, () => network)).then(
      ({ name }) => name,
      (error: ApiError) => error.reason,
    );

  it("calls the issuer once for a token in several requests", async () => {
    const { endpoint, held, release } = heldEndpoint();
    const one = only(endpoint);
    const responses = Array.from({ length: 100 }, () => send(one, "good"));
    await settled();
    expect(held).toHaveLength(1);
    release();
    expect(await Promise.all(responses)).toEqual(Array(100).fill("good"));
  });

  it("divides slots fairly among networks, even if one of them sends many unknown tokens", async () => {
    const { endpoint, tokens, release } = heldEndpoint();
    const one = only(endpoint, { perSecond: 1_000 });
    const bad = Array.from({ length: 200 }, (_, n) => send(one, `bad-${n}`));
    await settled();
    expect(tokens().length).toBeLessThan(MAX_INTROSPECTIONS);
    const good = Promise.all([send(one, "good-1", "192.0.2.2"), send(one, "good-2", "192.0.2.3")]);
    await settled();
    expect(tokens()).toEqual(expect.arrayContaining(["good-1", "good-2"]));
    release();
    expect(await good).toEqual(["good-1", "good-2"]);
    for (let calls = 1; calls > 0; calls = tokens().length) {
      release();
      await settled();
    }
    expect(new Set(await Promise.all(bad))).toEqual(new Set(["ACCESS_TOKEN_INVALID"]));
  });

  it.each<[string, cachedMs: number, passedMs: number, asked: boolean]>([
    ["is cached", 60_000, 1, false],
    ["was active recently", 1_000, 1_000, true],
    ["was active an hour ago", 1_000, 3_600_000, true],
  ])("never delays a token that %s behind unknown tokens", async (_, cacheMs, passedMs, asked) => {
    const { endpoint, tokens, release } = heldEndpoint();
    const one = only(endpoint, { cacheMs, perSecond: 1 });
    const known = send(one, "good");
    await settled();
    release();
    expect(await known).toBe("good");
    clock.advance(passedMs);
    for (let n = 0; n < 1_000; n++) void send(one, `bad-${n}`, `198.51.100.${n % 200}`);
    await settled();
    const again = send(one, "good");
    await settled();
    expect(tokens().includes("good")).toBe(asked);
    release();
    expect(await again).toBe("good");
  });

  it("treats a token as unknown once its issuer rejects it", async () => {
    let active = true;
    const one = only({ ask: async () => ({ active, sub: "someone" }) }, { cacheMs: 1, perSecond: 1 });
    expect(await send(one, "once")).toBe("someone");
    clock.advance(1_000);
    active = false;
    expect(await send(one, "once")).toBe("ACCESS_TOKEN_INVALID");
    expect(await send(one, "another")).toBe("ACCESS_TOKEN_INVALID");
    const waits = send(one, "once", "192.0.2.2");
    await settled();
    vi.advanceTimersByTime(MAX_WAIT_MS);
    expect(await waits).toBe("INTROSPECTION_UNAVAILABLE");
  });

  it("immediately rejects tokens of a network that exceeds its limit on waiting tokens", async () => {
    const { endpoint } = heldEndpoint();
    const one = only(endpoint, { perSecond: 1 });
    for (let n = 0; n < 1 + MAX_WAITING_INTROSPECTIONS_OF_CALLER; n++) void send(one, `${n}`);
    await settled();
    const rejection = await rejectionOf(() => one.authenticate("Bearer more", () => "192.0.2.1"));
    expect(rejection).toMatchObject({ reason: "INTROSPECTION_UNAVAILABLE", httpStatus: 503 });
    expect(rejection.headers["retry-after"]).toBe("5");
  });

  describe("with timers", () => {
    const timers: Clock = { wall: () => Date.now(), monotonic: () => performance.now() };

    it("introspects no more unknown tokens per second than configured", async () => {
      const { endpoint } = openEndpoint();
      const asked = vi.spyOn(endpoint, "ask");
      const one = only(endpoint, { perSecond: 10 }, timers);
      const sent = Array.from({ length: 35 }, (_, n) => send(one, `bad-${n}`, `192.0.2.${n % 5}`));
      const seen: number[] = [];
      for (let second = 0; second < 4; second++) {
        await settled();
        seen.push(asked.mock.calls.length);
        await vi.advanceTimersByTimeAsync(1_000);
      }
      expect(seen).toEqual([10, 20, 30, 35]);
      await Promise.all(sent);
    });

    it("rejects a token that gets no slot in time, with one timeout for all issuers", async () => {
      const { endpoint } = heldEndpoint();
      const one = new Authenticator(
        [ASKED, SECOND].map((issuer) => ({ issuer, introspection: { endpoint, perSecond: 1 } })),
        { clock: timers },
      );
      const waiting = Array.from({ length: 30 }, (_, n) => send(one, `bad-${n}`));
      await settled();
      await vi.advanceTimersByTimeAsync(MAX_WAIT_MS + 10);
      expect(await waiting.at(-1)).toBe("INTROSPECTION_UNAVAILABLE");
    });

    it("limits the time for the wait and all issuers together", async () => {
      const limits: number[] = [];
      const silent: IntrospectionEndpoint = {
        ask: async (_token, maxMs) => {
          limits.push(maxMs);
          await new Promise((resolve) => setTimeout(resolve, Math.min(maxMs, 4_000)));
          throw new Error("no response");
        },
      };
      const one = new Authenticator(
        [ASKED, SECOND, KEYED].map((issuer) => ({ issuer, introspection: { endpoint: silent } })),
        { clock: timers },
      );
      const began = timers.monotonic();
      let ended = Number.POSITIVE_INFINITY;
      const sent = send(one, "opaque").finally(() => {
        ended = timers.monotonic();
      });
      await settled();
      await vi.advanceTimersByTimeAsync(20_000);
      expect(await sent).toBe("INTROSPECTION_UNAVAILABLE");
      expect(limits).toEqual([MAX_WAIT_MS, MAX_WAIT_MS - 4_000, MAX_WAIT_MS - 8_000]);
      expect(ended - began).toBe(MAX_WAIT_MS);
    });
  });
});
