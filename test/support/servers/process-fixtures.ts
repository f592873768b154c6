import { testsWith } from "./fixtures.js";
import { startProcess } from "./server-process.js";

/** Tests whose servers are processes of their own. */
export const test = testsWith(startProcess);
export const it = test;
