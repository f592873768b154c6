import { createRequire } from "node:module";
import type * as Engine from "@duckdb/node-api";
import type * as Bindings from "@duckdb/node-bindings";

// `require` is faster here, because `import` reads each of the package's 180 CommonJS files twice.
const engine = createRequire(import.meta.url)("@duckdb/node-api") as typeof Engine;
/** The engine's C interface, for vectors that the package cannot fill fast. */
export const bindings = createRequire(import.meta.url)("@duckdb/node-bindings") as typeof Bindings;

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
  LIST,
  UBIGINT,
  UINTEGER,
  VARCHAR,
  blobValue,
  listValue,
} = engine;
