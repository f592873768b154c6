import { ok } from "node:assert/strict";
import { eventLines } from "../../src/cli/import/event-lines.js";
import { FORMATS } from "../../src/cli/import/formats.js";
import { SourceError } from "../../src/cli/import/row.js";
import { columnsOf, RowMapper } from "../../src/cli/import/row-mapper.js";
import { RowReport } from "../../src/cli/import/row-report.js";
import { rowsIn } from "../../src/cli/import/rows/rows-in.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";

const { map: MAP, layouts: LAYOUTS } = FORMATS["fcm-bigquery"];
const COLUMNS = columnsOf(MAP);
const VALUES = [
  ...["com.example.shop", "2025-06-02 16:00:01.25 UTC", "MESSAGE_ACCEPTED", "summer"],
  ...["DISPLAY_NOTIFICATION", "0:17", "cX2m", "ANDROID"],
];
const ROW = Object.fromEntries(COLUMNS.map((column, index) => [column, VALUES[index]]));
const HEADER = COLUMNS.join(",");

/** Any text is converted to events with the line numbers of its rows, or rejected with a line number. */
export const importRows: FuzzTarget = {
  name: "import-rows",
  boundedInputs: 600,
  seeds: [
    `${JSON.stringify(ROW)}\n\n${JSON.stringify({ ...ROW, event: "INVALID_TTL", message_id: 7 })}`,
    `${HEADER}\n${VALUES.join(",")}\n${VALUES.join(",").replace("ANDROID", "IOS")}`,
    `\ufeff${HEADER},more\r\n"${VALUES.join('","')}","a ""b""\r\nc"\r\n`,
    `${HEADER}\n${VALUES.join(",")}\r`,
    "[{}]",
    `{\n"kind": "bigquery#queryResponse", "rows": [{"f":[{"v":"1"},{"v":null}]}]}`,
    JSON.stringify({ f: Array.from({ length: 14 }, () => ({ v: VALUES[1] })) }),
    "",
  ],
  words: [
    ...COLUMNS,
    ...VALUES,
    ...["MESSAGE_DELIVERED", "TOPIC", '"', '""', ",", "\n", "\r\n", "{", "}", ":", "null", "1e99"],
  ],
  async run(input) {
    let text = "";
    try {
      const { rows } = await rowsIn("-", one(input), { names: COLUMNS, layouts: LAYOUTS });
      for await (const chunk of eventLines(rows, new RowMapper(MAP), new RowReport(COLUMNS)))
        text += Buffer.from(chunk).toString();
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      ok(/^.{1,500}$/u.test(error.message), `an unclear problem: ${error.message}`);
    }
    const lines = text.split("\n");
    ok(lines.length <= input.toString().split(/\r\n|[\r\n]/).length + 1, `${lines.length} lines`);
    for (const line of lines) if (line !== "") ok(typeof JSON.parse(line).appId === "string", line);
  },
};

async function* one(input: Buffer): AsyncGenerator<Uint8Array> {
  yield input;
}
