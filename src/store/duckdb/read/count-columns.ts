import type { DuckDBDataChunk } from "@duckdb/node-api";
import { COUNTS } from "../../delivery-data-store.js";

/** Reads the columns of {@link COUNTS}, of which `first` is the index of the first. */
export function countColumns(chunk: DuckDBDataChunk, first: number): readonly Float64Array[] {
  return COUNTS.map((name, index) => {
    const vector = chunk.getColumnVector(first + index);
    if ("items" in vector && vector.items instanceof Float64Array) return vector.items;
    throw new Error(`column ${name} is not of doubles`);
  });
}
