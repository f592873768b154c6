import { testsWith } from "./fixtures.js";
import { startProcess } from "./server-process.js";

/** Tests with servers that are separate processes. */
export const test = testsWith(startProcess);
export const it = test;
