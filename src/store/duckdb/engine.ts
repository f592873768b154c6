import { createRequire } from "node:module";
import type * as Engine from "@duckdb/node-api";

// `require` is faster here, because `import` reads each of the package's 180 CommonJS files twice.
const engine = createRequire(import.meta.url)("@duckdb/node-api") as typeof Engine;

export type DuckDBDataChunk = Engine.DuckDBDataChunk;
export type DuckDBInstance = Engine.DuckDBInstance;

/** The engine's classes and functions. Import all other types from the package itself. */
export const {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBInstance,
  DuckDBTableFunction,
  INTEGER,
  UBIGINT,
  UINTEGER,
  VARCHAR,
  blobValue,
  listValue,
} = engine;
