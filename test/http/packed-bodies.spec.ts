import { gzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { accepted } from "../support/data/delivery-data.js";
import { importInto, ndjson, postEvents } from "../support/data/import.js";
import { configOf, patch } from "../support/data/integrity.js";
import { send } from "../support/http/exchange.js";
import { it, test } from "../support/servers/fixtures.js";
import { IOS_APP, PROJECT } from "../support/servers/project.js";
import { zstdOf } from "../support/zstd.js";

/** A zstd frame that declares a window of 8 MiB and is empty. */
const EMPTY_FRAME = Buffer.from("28b52ffd0068010000", "hex");
/** The head of such a frame, and a block of one byte that is not the last. */
const FRAME_HEAD = Buffer.from("28b52ffd0068", "hex");
const ONE_BYTE_BLOCK = Buffer.from("0800000a", "hex");
const SKIPPABLE_FRAME = Buffer.from("502a4d1800000000", "hex");

const repeat = (piece: Buffer, bytes: number): Buffer => Buffer.alloc(bytes - (bytes % piece.length), piece);

const KIB = 1024;
const MIB = 1024 * KIB;
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const JSON_TYPE = { "content-type": "application/json" };

/** Small bodies that are expensive to decompress or never end. */
const BOMBS: Readonly<Record<string, readonly [coding: string, body: Buffer]>> = {
  "7,000 empty frames of zstd with windows of 8 MiB": ["zstd", repeat(EMPTY_FRAME, 63_000)],
  "a frame of zstd with a window of 8 MiB and 16,000 blocks of a byte": [
    "zstd",
    Buffer.concat([FRAME_HEAD, repeat(ONE_BYTE_BLOCK, 64_000)]),
  ],
  "2 MiB of empty blocks of zstd": ["zstd", Buffer.concat([FRAME_HEAD, Buffer.alloc(2 * MIB)])],
  "2 MiB of frames of zstd to be skipped": ["zstd", repeat(SKIPPABLE_FRAME, 2 * MIB)],
  "a frame of zstd to be skipped of 2 MiB": [
    "zstd",
    Buffer.concat([Buffer.from("502a4d1800002000", "hex"), Buffer.alloc(2 * MIB)]),
  ],
  "2 MiB of empty members of gzip": ["gzip", repeat(gzipSync(""), 2 * MIB)],
};

describe.each(Object.entries(BOMBS))("a body of %s", (_name, [coding, body]) => {
  const headers = { "content-encoding": coding };

  it("is rejected as an import", async ({ server, editor }) => {
    const { status, text } = await postEvents(server, editor, body, { headers });
    expect([status, errorOf(text).reason]).toEqual([400, "MALFORMED_ENCODING"]);
  });

  it("is rejected as a change", async ({ server, editor }) => {
    const { status, text } = await patch(server, editor, IOS_APP, {}, { headers, body });
    // Bodies of 2 MiB exceed the limit for JSON even before unpacking.
    const reason = body.length > MIB ? "BODY_TOO_LARGE" : "MALFORMED_ENCODING";
    expect([status, errorOf(text).reason]).toEqual([body.length > MIB ? 413 : 400, reason]);
  });

  it.for([
    ["without a token", false, 401],
    ["without the role", true, 403],
  ] as const)("is not decompressed %s", async ([_case, isViewer, status], { server, viewer }) => {
    const token = isViewer ? viewer : undefined;
    const asImport = await send(server.messagingDataUrl, importInto(), {
      method: "POST",
      token,
      headers: { ...headers, "content-type": "application/x-ndjson" },
      body,
    });
    const asChange = await send(server.integrityUrl, `${configOf(IOS_APP)}?updateMask=*`, {
      method: "PATCH",
      token,
      headers: { ...headers, ...JSON_TYPE },
      body,
    });
    expect([asImport.status, asChange.status]).toEqual([status, status]);
  });
});

describe("a compressed body is rejected", () => {
  const LIST = `/v1beta1/projects/${PROJECT.id}/androidApps`;

  describe.each(["gzip", "zstd", "br", "GZIP", "gzip, identity"])("in %s", (coding) => {
    test.for([
      ["by the token endpoint", "integrityUrl", "/oauth2/token", FORM],
      [
        "by a GET that is sent as a form",
        "messagingDataUrl",
        LIST,
        { ...FORM, "x-http-method-override": "GET" },
      ],
    ] as const)("%s", async ([_name, service, path, headers], { server, viewer }) => {
      const {
        status,
        text,
        headers: responded,
      } = await send(server[service], path, {
        method: "POST",
        token: service === "integrityUrl" ? undefined : viewer,
        headers: { ...headers, "content-encoding": coding },
        body: gzipSync("pageSize=1"),
      });
      expect([status, errorOf(text).reason]).toEqual([415, "UNSUPPORTED_ENCODING"]);
      expect(responded["accept-encoding"]).toBe("identity");
    });
  });

  it("unless its content coding is identity", async ({ server, viewer }) => {
    const form = { method: "POST", body: "pageSize=1", token: viewer };
    const headers = { ...FORM, "x-http-method-override": "GET", "content-encoding": "identity" };
    expect((await send(server.messagingDataUrl, LIST, { ...form, headers })).status).toBe(200);
  });
});

describe("a compressed import is accepted", () => {
  const line = (at: number): Buffer =>
    Buffer.from(ndjson([accepted(`app-${at % 5_000}`, "2025-06-02T12:00:00Z")]));

  test.for([
    [
      "with a zstd frame for each event",
      "zstd",
      () => (at: number) => zstdOf(line(at), { windowExponent: 0 }),
    ],
    ["with a gzip member for each event", "gzip", () => (at: number) => gzipSync(line(at))],
  ] as const)("%s", async ([_name, coding, make], { server, editor }) => {
    const body = Buffer.concat(Array.from({ length: 5_000 }, (_, at) => make()(at)));
    const { text } = await postEvents(server, editor, body, { headers: { "content-encoding": coding } });
    expect(JSON.parse(text)).toEqual({ importedCount: "5000" });
  });

  it("with frames that have windows of 8 MiB, each with 256 KiB of data", async ({ server, editor }) => {
    const lines = Array.from({ length: 100_000 }, (_, at) => line(at));
    const all = Buffer.concat(lines);
    const frames: Buffer[] = [];
    for (let at = 0; at < all.length; at += 256 * KIB) {
      frames.push(zstdOf(all.subarray(at, at + 256 * KIB), { windowExponent: 13 }));
    }
    const headers = { "content-encoding": "zstd" };
    const { text } = await postEvents(server, editor, Buffer.concat(frames), { headers });
    expect(JSON.parse(text)).toEqual({ importedCount: "100000" });
  });
});
