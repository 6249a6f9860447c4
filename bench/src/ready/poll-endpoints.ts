import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** Asks for addresses in turn, in a thread that nothing else delays, until it is told to stop; then tells the milliseconds of each. */
const { urls, pauseMs } = workerData as { readonly urls: readonly string[]; readonly pauseMs: number };
const answered: Record<string, number[]> = Object.fromEntries(urls.map((url) => [url, []]));
let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});
while (!isOver) {
  for (const url of urls) {
    const askedAt = performance.now();
    await (await fetch(url)).arrayBuffer();
    answered[url]?.push(performance.now() - askedAt);
  }
  await wait(pauseMs);
}
parentPort?.postMessage(answered);
