// Compiles the scanner of event lines from AssemblyScript to WebAssembly.
import { join } from "node:path";
import asc from "assemblyscript/asc";

/** Compiles the scanner within a folder with sources. Writes it to their generated code. */
export async function compileAssembly(sources) {
  const { error, stderr } = await asc.main([
    join(sources, "messaging-data/events/assembly/event-lines.ts"),
    ...["--outFile", join(sources, "gen/event-scanner.wasm")],
    ...["-O3", "--noAssert", "--runtime", "stub", "--enable", "simd"],
  ]);
  if (error) throw new Error(`AssemblyScript: ${stderr.toString()}`, { cause: error });
}
