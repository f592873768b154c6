import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FuzzTarget } from "./fuzz-target.js";

const CORPUS = fileURLToPath(new URL("../corpus", import.meta.url));

/** A target's initial inputs: its seeds, then its folder's files by name. */
export function readCorpus({ name, seeds }: FuzzTarget): Buffer[] {
  const folder = join(CORPUS, name);
  return [
    ...seeds.map((seed) => Buffer.from(seed)),
    ...filesOf(folder).map((file) => readFileSync(join(folder, file))),
  ];
}

export function addToCorpus({ name }: FuzzTarget, inputs: readonly Buffer[]): void {
  for (const input of inputs) saveInput(join(CORPUS, name), input);
}

/** Saves an input under a hash of its content. @returns the path. */
export function saveInput(folder: string, input: Buffer): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, createHash("sha256").update(input).digest("hex").slice(0, 16));
  writeFileSync(file, input);
  return file;
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
