import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { loopbackServer } from "../../../src/http/testing/loopback-server.js";
import { type PostgresServer, postgresServer } from "./postgres-server.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Origin of the server that starts shared servers. */
    sharedServers: string;
  }
}

/** Lets all specs of a run share servers of databases, which start with their first use and end with the run. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<PostgresServer> | undefined;
  const { origin, close } = await loopbackServer((_, response) => {
    postgres ??= postgresServer();
    postgres.then(
      ({ port }) => response.end(String(port)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  provide("sharedServers", origin);
  return async () => {
    await close();
    await (await postgres)?.close();
  };
}

/** Returns the port of the PostgreSQL server of this run. */
export async function sharedPostgres(): Promise<number> {
  const response = await fetch(inject("sharedServers"));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return Number(text);
}
