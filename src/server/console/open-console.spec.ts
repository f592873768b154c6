import { expect, test } from "vitest";
import { Addresses } from "../addresses.js";
import { consoleOrigins } from "./open-console.js";

const LISTENERS = { host: "127.0.0.1", integrityPort: 8080, messagingDataPort: 0, registryPort: 8082 };

test.each<[what: string, messagingDataUrl: string | undefined, console: object | false, origins: string[]]>([
  ["has the configured origin", "https://data.example/api", {}, ["https://data.example"]],
  ["has no origin if it is off", "https://data.example/api", false, []],
  ["has no origin if its address is unknown", undefined, {}, []],
])("the console %s", (_, messagingDataUrl, console, origins) => {
  const addresses = new Addresses({ ...LISTENERS, ...(messagingDataUrl && { messagingDataUrl }) });
  expect(consoleOrigins({ config: { console }, addresses })).toEqual(origins);
});
