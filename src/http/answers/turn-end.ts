/** Work for the end of the current turn of the event loop. */
let waiting: (() => void)[] = [];

/**
 * Does work at the end of the current turn of the event loop, in the order of the calls, once all requests that
 * had arrived were handled. The first response then wakes its client, and the others find it awake: waking a
 * process can take longer than making a small response.
 */
export function atTurnEnd(work: () => void): void {
  if (waiting.push(work) === 1) setImmediate(doAll);
}

function doAll(): void {
  const works = waiting;
  waiting = [];
  for (const work of works) work();
}
