import { expect, it } from 'vitest';
import { toThreadKey } from './queue-entry.ts';
import { watchLeftRuns } from './watch-left-runs.ts';

const host = 'forge.test';

/** Runs of a place, by uuid, as they are now: each on a thread of its own. */
function setUp() {
  const runs = new Map<string, 'waits' | 'carried' | 'elsewhere' | 'ended'>();
  const corrected: string[] = [];
  const warnings: string[] = [];
  const state = { isHeld: false, isLooking: true, isReachable: true };
  const over = new AbortController();
  let wake: (() => void) | null = null;
  const watched = watchLeftRuns({
    queue: {
      waiting: async () =>
        [...runs].flatMap(([uuid, is]) =>
          is === 'waits'
            ? [{ key: toThreadKey(host, uuid), kind: 'new', platform: host, runId: null, since: 1 } as const]
            : [],
        ),
    },
    reader: {
      listRunning: async () =>
        [...runs].map(([uuid, is]) => ({
          uuid,
          metadata: { host, taskKeyText: uuid },
          outcome: is === 'ended' ? {} : null,
        })) as never,
    },
    isCarried: (uuid) => runs.get(uuid) === 'carried',
    isHeld: async () => state.isHeld,
    isLooking: async () => state.isLooking,
    correct: async (uuid) => {
      if (!state.isReachable) throw new Error('503');
      corrected.push(uuid);
    },
    sleep: (_, signal) => {
      const slept = Promise.withResolvers<void>();
      wake = slept.resolve;
      signal.addEventListener('abort', () => slept.resolve());
      return slept.promise;
    },
    signal: over.signal,
    logger: {
      info: () => {},
      warn: (_: object, message: string) => void warnings.push(message),
      error: (_: object, message: string) => void warnings.push(message),
    },
  });
  /** Lets fifteen seconds pass. */
  const look = async () => {
    const before = wake;
    wake?.();
    while (wake === before) await Promise.resolve();
  };
  const end = () => {
    over.abort();
    return watched;
  };
  return { runs, corrected, warnings, state, look, end };
}

it('corrects once, within half a minute, what a thread says of a run that nobody takes up [NX-242]', async () => {
  const { runs, corrected, look, end } = setUp();
  runs.set('dead', 'waits').set('alive', 'carried').set('other', 'elsewhere').set('over', 'ended');
  await look();
  expect(corrected).toEqual([]);
  await look();
  await look();
  expect(corrected).toEqual(['dead']);
  // Taken up, and left again.
  runs.set('dead', 'carried');
  await look();
  runs.set('dead', 'waits');
  await look();
  await look();
  expect(corrected).toEqual(['dead', 'dead']);
  await end();
});

it('leaves alone what is begun between two looks, and what another process looks after [NX-242]', async () => {
  const { runs, corrected, state, look, end } = setUp();
  runs.set('quick', 'waits');
  await look();
  runs.set('quick', 'carried');
  await look();
  state.isLooking = false;
  runs.set('left', 'waits');
  await look();
  await look();
  expect(corrected).toEqual([]);
  await end();
});

it('tries again at each look while the platform does not take it, and says why [NX-242]', async () => {
  const { runs, corrected, warnings, state, look, end } = setUp();
  runs.set('dead', 'waits');
  state.isReachable = false;
  for (let looks = 0; looks < 4; looks += 1) await look();
  expect(warnings).toEqual(['failed to update comments of interrupted run']);
  state.isReachable = true;
  await look();
  expect(corrected).toEqual(['dead']);
  await end();
});

it('corrects all that was left where nothing is begun for now [NX-242]', async () => {
  const { runs, corrected, state, look, end } = setUp();
  runs.set('one', 'elsewhere').set('two', 'elsewhere').set('mine', 'carried');
  state.isHeld = true;
  await look();
  await look();
  expect(corrected).toEqual(['one', 'two']);
  await end();
});
