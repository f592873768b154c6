import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ImportEventsOptions, type ImportProgress, WaybillError } from "@waybill/client";
import { expect, it } from "vitest";
import { fileDirectory } from "../../../test/support/test-directory.js";
import { eventMapSchema } from "./event-map.js";
import { type FileImport, type Imported, importFile } from "./import-file.js";

const MAP = eventMapSchema.parse({
  appId: { value: "app" },
  messageId: { columns: ["id"] },
  eventTime: { column: "at", format: "iso" },
  eventType: { column: "type" },
  usageReportingOptIn: { value: true },
});

const directory = fileDirectory();

interface Run {
  readonly rows: readonly string[];
  readonly client: FileImport["client"];
  readonly skipInvalid?: true;
  /** Number of bytes that an earlier run has imported. */
  readonly bytes: number;
}

/** Imports a CSV file, after an earlier run that was interrupted. */
async function continueImport({ rows, client, skipInvalid, bytes }: Run): Promise<Imported> {
  const file = join(directory, "log.csv");
  await writeFile(file, ["id,at,type", ...rows, ""].join("\n"));
  const imports = { client, project: "demo-project", format: { map: MAP }, skipInvalid };
  const { signal } = new AbortController();
  return importFile(file, imports, { bytes, onBytes: () => {}, signal });
}

const row = (id: string, time = "2026-11-20T12:00:00Z"): string => `${id},${time},ACCEPTED`;

async function textOf({ events }: ImportEventsOptions): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of events) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Number of bytes of the first events. */
async function bytesOf(rows: readonly string[]): Promise<number> {
  let bytes = 0;
  const client: FileImport["client"] = {
    importEvents: async (request) => {
      bytes = Buffer.byteLength(await textOf(request));
      return NOTHING;
    },
  };
  await continueImport({ rows, client, bytes: 0 });
  return bytes;
}

const NOTHING: ImportProgress = {
  importedCount: 0,
  optedOutCount: 0,
  tooLateCount: 0,
  invalidCount: 0,
  invalidLines: [],
  bytes: 0,
};

async function lineOf(id: string, request: ImportEventsOptions): Promise<number> {
  const lines = (await textOf(request)).split("\n");
  return 1 + lines.findIndex((line) => line.includes(`"${id}"`));
}

it("shows line numbers of the file for skipped rows, after an interruption", async () => {
  const client: FileImport["client"] = {
    importEvents: async (request) => {
      const invalid = { line: await lineOf("rejected", request), field: "messageId", description: "is bad" };
      return { ...NOTHING, invalidCount: 1, invalidLines: [invalid] };
    },
  };
  const bytes = await bytesOf([row("a"), row("b")]);
  const rows = [row("a"), row("b"), row("c", "soon"), row("rejected")];
  const { notes } = await continueImport({ rows, client, skipInvalid: true, bytes });
  expect(notes).toEqual(["line 4: at is not an ISO 8601 time with an offset: soon", "line 5: id is bad"]);
});

it("reports the line number of an invalid row in the file, after an interruption", async () => {
  const client: FileImport["client"] = {
    importEvents: async (request) => {
      await textOf(request);
      return NOTHING;
    },
  };
  const many = Array.from({ length: 600 }, (_, index) => row(`a${index}`));
  const bytes = await bytesOf(many.slice(0, 300));
  const rows = [...many, row("c", "soon")];
  await expect(continueImport({ rows, client, bytes })).rejects.toThrow(
    "log.csv: line 602: at is not an ISO 8601 time with an offset: soon",
  );
});

it("reports the line number of a rejected event in the file, after an interruption", async () => {
  const client: FileImport["client"] = {
    importEvents: async (request) => {
      const field = `lines[${await lineOf("rejected", request)}].messageId`;
      const violations = [{ field, description: "is bad" }];
      throw new WaybillError({ code: "INVALID_ARGUMENT", message: "invalid", violations });
    },
  };
  const bytes = await bytesOf([row("a"), row("b")]);
  const rows = [row("a"), row("b"), row("rejected")];
  await expect(continueImport({ rows, client, bytes })).rejects.toThrow("log.csv: line 4: id is bad");
});
