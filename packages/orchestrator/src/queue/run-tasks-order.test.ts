import { PlatformError } from '@agent/platforms';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { MemoryTaskQueue } from './memory-task-queue.ts';
import { type QueueEntry, toThreadKey } from './queue-entry.ts';
import { type RunTasksParts, runTasks } from './run-tasks.ts';

const host = 'forge.test';

function entryOf(number: number, kind: QueueEntry['kind'], runId: string | null = `r${number}`): QueueEntry {
  return { key: toThreadKey(host, `github_issue:acme:shop:${number}`), kind, platform: host, runId };
}

/** A platform whose thread waits as often as told, by its number. */
function platformOf(name: string, lists: readonly (readonly number[] | Error)[]): ConfiguredPlatform {
  const left = [...lists];
  const listWaiting = async () => {
    const next = left.shift() ?? [];
    if (next instanceof Error) throw next;
    const tasks = next.map((number) => ({
      key: { type: 'github_issue', owner: 'acme', repo: 'shop', number },
    }));
    return { tasks, failures: [] };
  };
  return { platform: { name, host }, trigger: { listsPaused: false, listWaiting } } as never;
}

interface Story {
  readonly platforms?: readonly ConfiguredPlatform[];
  readonly unfinished?: readonly QueueEntry[];
  readonly paused?: readonly QueueEntry[];
  readonly retries?: readonly QueueEntry[];
  /** Throws where the disk is to refuse. */
  readonly readDisk?: () => void;
  readonly once?: boolean;
  readonly stop?: AbortController;
  readonly workOn?: (entry: QueueEntry) => Promise<'done' | 'later'>;
  readonly sleep?: RunTasksParts['sleep'];
}

/** Runs tasks to their end, and tells what was carried out and how often it was looked. */
async function tell({ once = true, stop = new AbortController(), ...story }: Story) {
  const worked: string[] = [];
  const looks: { readonly platform: string; readonly error: string | null }[] = [];
  const places: unknown[] = [];
  const begun: string[] = [];
  const errors: string[] = [];
  let polls = 0;
  let unfinished = story.unfinished ?? [];
  const recovery: RunTasksParts['recovery'] = {
    listUnfinished: async () => unfinished,
    listPaused: async () => (story.paused ?? []).map((entry) => ({ entry, held: false })),
    listRetries: async () => {
      story.readDisk?.();
      return story.retries ?? [];
    },
    showOpen: async () => {},
    listenToEnded: async () => {},
    listenToLeft: async () => {},
    giveUp: () => {},
  };
  const workOn = async (entry: QueueEntry): Promise<'done' | 'later'> => {
    worked.push(`${entry.kind} ${entry.runId}`);
    unfinished = [];
    return (await story.workOn?.(entry)) ?? 'done';
  };
  const memory = new MemoryTaskQueue({ concurrency: 1, sleep: async () => {} });
  let isClosed = false;
  const queue: RunTasksParts['queue'] = {
    add: memory.add,
    knows: memory.knows,
    work: memory.work,
    waiting: memory.waiting,
    beginWaiting: memory.beginWaiting,
    close: async () => {
      isClosed = true;
      return memory.close();
    },
  };
  const everywhere = await runTasks(
    {
      platforms: story.platforms ?? [],
      queue,
      worker: {
        ...{
          workOn,
          listDeferred: () => [],
          listResting: () => [],
          listDue: async () => [],
          hurryFreed: async () => {},
        },
        forgetTaken: async () => {},
        othersFirstMs: () => 0,
      },
      recovery,
      isPaused: async () => false,
      observe: (event) => {
        if (event.type === 'queue-begin') begun.push(event.kind);
        if (event.type !== 'look') return;
        looks.push({ platform: event.platform, error: event.error });
        places.push(event.places);
      },
      keepUp: () => {
        polls += 1;
      },
      sleep: story.sleep ?? (async () => {}),
      logger: pino({ level: 'error' }, { write: (line: string) => errors.push(JSON.parse(line).msg) }),
    },
    { once, readPollIntervalMs: () => 1, signal: stop.signal },
  );
  expect(isClosed).toBe(true);
  return { everywhere, polls, worked, looks, places, begun, errors };
}

it('tries what is held and what is to be retried one time, and looks again for what waits', async () => {
  const told = await tell({
    unfinished: [entryOf(1, 'interrupted')],
    paused: [entryOf(2, 'paused')],
    retries: [entryOf(3, 'retry')],
  });
  expect(told.worked).toEqual(['interrupted r1', 'paused r2', 'retry r3']);
  expect(told.begun).toEqual(['interrupted', 'paused', 'retry']);
  expect(told.polls).toBe(2);
});

it('names the repositories that were polled, and those among them that did not answer [NX-426]', async () => {
  const error = new PlatformError('It is gone.', { code: 'not-found' });
  const trigger = {
    listsPaused: false,
    listWaiting: async () => ({ tasks: [], failures: [{ place: 'acme/gone', error }] }),
  };
  const platform = { name: 'one', host: 'one.test' };
  const listPlaces = () => ['acme/shop', 'acme/gone'];
  const { places } = await tell({ platforms: [{ platform, trigger, listPlaces } as never] });
  expect(places).toEqual([
    [
      { name: 'acme/shop', answered: true },
      { name: 'acme/gone', answered: false },
    ],
  ]);
});

it('looks again wherever something was found, in equal numbers too', async () => {
  const retries = [entryOf(3, 'retry')];
  expect((await tell({ retries })).polls).toBe(2);
  expect((await tell({ retries, paused: [entryOf(2, 'paused')] })).polls).toBe(2);
  expect((await tell({ retries, platforms: [platformOf('one', [[1]])] })).polls).toBe(2);
  const both = [platformOf('one', [[1]]), platformOf('two', [[2]])];
  const told = await tell({ platforms: both });
  expect([told.polls, told.worked]).toEqual([2, ['new null', 'new null']]);
});

it('looks at running/ with the first poll alone, also where it looks for ever', async () => {
  const stop = new AbortController();
  const listed: string[] = [];
  let sleeps = 0;
  await tell({
    once: false,
    stop,
    unfinished: [entryOf(1, 'interrupted')],
    workOn: async ({ kind }) => {
      listed.push(kind);
      return 'done';
    },
    sleep: async () => {
      sleeps += 1;
      await new Promise((resolve) => setImmediate(resolve));
      if (sleeps === 3) stop.abort();
    },
  });
  expect([listed, sleeps]).toEqual([['interrupted'], 3]);
});

it('begins a thread as often as it waits where it looks for ever', async () => {
  const stop = new AbortController();
  let begun = 0;
  const { errors } = await tell({
    once: false,
    stop,
    platforms: [platformOf('one', Array(12).fill([1]))],
    workOn: async () => {
      begun += 1;
      return 'done';
    },
    sleep: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      if (begun === 12) stop.abort();
    },
  });
  expect([begun, errors]).toEqual([12, []]);
});

it('goes on with the next poll when the disk could not be read, and leaves what is at work alone', async () => {
  const stop = new AbortController();
  let reads = 0;
  const { errors, worked } = await tell({
    once: false,
    stop,
    unfinished: [entryOf(1, 'interrupted')],
    platforms: [platformOf('one', [[2]])],
    readDisk: () => {
      reads += 1;
      if (reads < 3) throw new Error('EIO');
    },
    sleep: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      if (reads === 4) stop.abort();
    },
  });
  expect(worked).toEqual(['interrupted r1', 'new null']);
  const message = 'failed to read pending work; retrying at next poll';
  expect(errors).toEqual([message]);
  const disk = new Error('EIO');
  const readDisk = (): void => {
    throw disk;
  };
  await expect(tell({ readDisk })).rejects.toBe(disk);
});

it('ends after the work under way, and begins nothing more', async () => {
  const stop = new AbortController();
  const work = Promise.withResolvers<void>();
  let isDone = false;
  const ended = tell({
    once: false,
    stop,
    paused: [entryOf(1, 'paused'), entryOf(2, 'paused')],
    workOn: async () => {
      await work.promise;
      isDone = true;
      return 'done';
    },
    sleep: async () => stop.abort(),
  });
  await new Promise((resolve) => setImmediate(resolve));
  work.resolve();
  const { worked } = await ended;
  expect([isDone, worked]).toEqual([true, ['paused r1']]);
});

it('logs that a platform refuses once, until it answers or fails in another way', async () => {
  const limited = () => Object.assign(new Error('limited'), { code: 'rate-limited' });
  const answers = [limited(), limited(), new Error('down'), [], limited()];
  const stop = new AbortController();
  let sleeps = 0;
  const sleep = async () => {
    sleeps += 1;
    if (sleeps === answers.length) stop.abort();
  };
  const platforms = [platformOf('one', [...answers])];
  const { errors, looks } = await tell({ once: false, stop, sleep, platforms });
  expect(looks).toHaveLength(answers.length);
  expect(errors).toEqual(Array(3).fill('failed to poll for tasks'));
});

it('says that it could not look somewhere, and that a shutdown is no failure of a platform', async () => {
  const down = await tell({ platforms: [platformOf('one', [new Error('down')]), platformOf('two', [[]])] });
  expect(down).toMatchObject({
    everywhere: false,
    looks: [
      { platform: 'one', error: 'down' },
      { platform: 'two', error: null },
    ],
    errors: ['failed to poll for tasks'],
  });
  const stop = new AbortController();
  const aborts = platformOf('one', []);
  const told = await tell({
    stop,
    platforms: [
      {
        ...aborts,
        trigger: {
          ...aborts.trigger,
          listWaiting: async () => {
            stop.abort();
            throw new Error('aborted');
          },
        },
      } as never,
    ],
  });
  expect([told.errors, told.looks]).toEqual([[], []]);
});
