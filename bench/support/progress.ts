export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Returns a function that shows a count's progress at each tenth of `total`. */
export function countProgress(what: string, total: number): (count: number) => void {
  let tenths = 0;
  return (count) => {
    const reached = Math.floor((10 * count) / total);
    if (reached <= tenths) return;
    tenths = reached;
    progress(`  ${what}: ${10 * tenths}%`);
  };
}
