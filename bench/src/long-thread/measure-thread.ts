import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { followSteps } from '@agent/simulators/model';
import { startDaemon } from '../daemon-process.ts';
import { readMemory } from '../memory/read-memory.ts';
import { repository, startWorld } from '../world.ts';

/** Milliseconds between two readings of the peak, which only grows: the last one is of just before the end. */
const readEveryMs = 25;
const bodyChars = 4_096;
/** Longer than the daemon waits between two polls of a thread: the next checkpoint delivers what arrived. */
const pollSpacingMs = 1_200;

/** `before`: the comments stand on the thread when its run begins. `during`: they arrive while its model answers for the first time. */
export type Arrival = 'before' | 'during';

export interface ThreadFigures {
  readonly comments: number;
  readonly arrival: Arrival;
  /** The most that the daemon's process had resident, in kilobytes. */
  readonly peakKb: number;
  /** From the start of the daemon to its end. */
  readonly totalMs: number;
}

const readThenAnswer = followSteps([
  { toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] },
  { text: 'Nothing needs to change.' },
]);

/** One life of the daemon (`run --once`) with one run, on whose thread an untrusted user wrote this many comments of 4 KB. */
export async function measureThread(comments: number, arrival: Arrival): Promise<ThreadFigures> {
  let isFirst = true;
  const world = await startWorld({
    script: readThenAnswer,
    config: { comment_detection: { enabled: true } },
    onModelCall: async () => {
      if (!isFirst || arrival === 'before') return;
      isFirst = false;
      write();
      await wait(pollSpacingMs);
    },
  });
  const number = world.openIssue('The total is wrong');
  const write = (): void => {
    for (let index = 1; index <= comments; index += 1)
      world.gitHub.comment({ repo: repository, number, author: 'bob', body: toBody(index) });
  };
  if (arrival === 'before') write();
  const beganAt = performance.now();
  const daemon = startDaemon(world, { once: true });
  try {
    const peakKb = await readPeak(daemon);
    const totalMs = performance.now() - beganAt;
    const { labels } = world.gitHub.thread(repository, number);
    if (!labels.includes('coding agent done')) throw new Error('The run did not succeed.');
    return { comments, arrival, peakKb, totalMs };
  } finally {
    await daemon.end();
    await world.close();
  }
}

async function readPeak(daemon: ReturnType<typeof startDaemon>): Promise<number> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  daemon.succeeded.then(end, end);
  let peakKb = 0;
  while (!ending.signal.aborted) {
    // A process that has just ended has no memory any more.
    const memory = await readMemory(daemon.processId).catch(() => null);
    peakKb = Math.max(peakKb, memory?.peakKb ?? 0);
    await wait(readEveryMs, undefined, { signal: ending.signal }).catch(() => {});
  }
  await daemon.succeeded;
  return peakKb;
}

/** Text in which no two comments are alike. */
function toBody(index: number): string {
  const sentence = `Note ${index}: we talked about the total at length, and of what it should say. `;
  return sentence.repeat(Math.ceil(bodyChars / sentence.length)).slice(0, bodyChars);
}
