// Compresses files that are served often, once and with the highest level.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const CODINGS = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      },
    }),
  gz: (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/** Writes `NAME.br` and `NAME.gz` beside each text file below a folder. */
export async function compressFiles(folder) {
  const names = await readdir(folder, { recursive: true });
  const texts = names.filter((name) => /\.(html|js|css|svg|txt|md)$/.test(name));
  await Promise.all(
    texts.map(async (name) => {
      const path = join(folder, name);
      const bytes = await readFile(path);
      for (const [suffix, compress] of Object.entries(CODINGS)) {
        await writeFile(`${path}.${suffix}`, await compress(bytes));
      }
    }),
  );
}
