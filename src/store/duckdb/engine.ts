import { createRequire } from "node:module";
import type * as Engine from "@duckdb/node-api";

// By import, Node reads each of the package's 180 files twice, as they are no ES modules: that takes longer than to run them.
const engine = createRequire(import.meta.url)("@duckdb/node-api") as typeof Engine;

export type DuckDBDataChunk = Engine.DuckDBDataChunk;
export type DuckDBInstance = Engine.DuckDBInstance;

/** The classes and functions of the engine. Types come from the package itself, but for those of the same name. */
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
