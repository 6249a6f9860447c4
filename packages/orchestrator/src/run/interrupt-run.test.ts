import { RunInterruption, type RunSignal } from '@agent/runner';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { setUp, uuid } from '../../test/inbox-bed.ts';
import { findCommandOf, type PreparationListener, RunInterrupter } from './interrupt-run.ts';

const logger = pino({ enabled: false });

interface Given {
  readonly listener?: Partial<PreparationListener>;
  readonly requests?: () => Promise<RunSignal>;
}

/** An interrupter whose seconds pass by `tick`. */
function makeInterrupter({ listener = {}, requests }: Given = {}) {
  const shutdown = new AbortController();
  const clock = { ms: 0 };
  const asked: { signal: RunSignal } = { signal: 'none' };
  const rings = { isRung: false };
  let look = (): void => {};
  const interrupter = new RunInterrupter({
    requests: { read: requests ?? (async () => asked.signal) },
    isNotified: () => {
      const was = rings.isRung;
      rings.isRung = false;
      return was;
    },
    openListener: async () => ({ runCommands: async () => [], close: () => {}, ...listener }),
    shutdown: shutdown.signal,
    monotonicNow: () => clock.ms,
    logger,
    repeat: (task) => {
      look = task;
      return () => {};
    },
  });
  const tick = async (seconds = 1): Promise<void> => {
    clock.ms += seconds * 1_000;
    look();
    await new Promise(setImmediate);
  };
  return { interrupter, tick, asked, rings, shutdown, clock };
}

describe('RunInterrupter', () => {
  it.each(['stop', 'pause'] as const)(
    'aborts with the command that was requested: %s [RL-2]',
    async (command) => {
      const { interrupter, tick, asked } = makeInterrupter();
      await tick();
      expect(interrupter.signal.aborted).toBe(false);
      asked.signal = command;
      await tick();
      expect(findCommandOf(interrupter.signal.reason, interrupter.signal)).toBe(command);
      await interrupter.close();
    },
  );

  it('aborts with the reason of the shutdown, which is no command [RL-12]', async () => {
    const { interrupter, shutdown } = makeInterrupter();
    const reason = new Error('received SIGTERM');
    shutdown.abort(reason);
    expect(interrupter.signal.reason).toBe(reason);
    expect(findCommandOf(reason, interrupter.signal)).toBeNull();
    await interrupter.close();
  });

  it('keeps the first of two commands [RL-2]', async () => {
    const { interrupter, tick, asked } = makeInterrupter();
    asked.signal = 'pause';
    await tick();
    asked.signal = 'stop';
    await tick();
    expect(interrupter.signal.reason).toMatchObject({ command: 'pause' });
    await interrupter.close();
  });

  it('aborts nothing once it is closed', async () => {
    const gate = Promise.withResolvers<RunSignal>();
    const { interrupter, tick } = makeInterrupter({ requests: () => gate.promise });
    await tick();
    const closed = interrupter.close();
    gate.resolve('stop');
    await closed;
    expect(interrupter.signal.aborted).toBe(false);
  });

  it('polls the thread of a run that is prepared every five seconds, outlasting failures [NX-226]', async () => {
    let polls = 0;
    let isClosed = false;
    const runCommands = async () => {
      polls += 1;
      if (polls === 1) throw new Error('the platform is away');
      asked.signal = 'stop';
      return [];
    };
    const { interrupter, tick, asked } = makeInterrupter({
      listener: {
        runCommands,
        close: () => {
          isClosed = true;
        },
      },
    });
    await tick(4);
    expect(polls).toBe(0);
    await tick();
    expect(interrupter.signal.aborted).toBe(false);
    await tick(5);
    expect([polls, interrupter.signal.aborted]).toEqual([2, true]);
    await interrupter.close();
    expect(isClosed).toBe(true);
  });

  it('closes the listener of the preparation before the inbox of the run begins [RL-2]', async () => {
    const poll = Promise.withResolvers<never[]>();
    const events: string[] = [];
    const { interrupter, tick } = makeInterrupter({
      listener: { runCommands: () => poll.promise, close: () => void events.push('closed') },
    });
    const inbox = interrupter.use({
      begin: async (_snapshot: unknown) => {
        events.push('begun');
        return { delivers: [] };
      },
      heed: async () => false,
      isListening: () => false,
    });
    await tick(5);
    const begun = inbox.begin({ comments: [], complete: true, cursor: null, unchanged: false });
    await tick();
    expect(events).toEqual([]);
    poll.resolve([]);
    await begun;
    await tick(5);
    expect(events).toEqual(['closed', 'begun']);
    await interrupter.close();
  });

  it('polls at once after a webhook', async () => {
    let polls = 0;
    const { interrupter, tick, rings } = makeInterrupter({
      listener: {
        runCommands: async () => {
          polls += 1;
          return [];
        },
      },
    });
    rings.isRung = true;
    await tick();
    await tick();
    expect(polls).toBe(1);
    await interrupter.close();
  });

  it('names no command for another error than that of its signal', () => {
    const controller = new AbortController();
    const reason = new RunInterruption('stop');
    controller.abort(reason);
    expect(findCommandOf(new Error('other'), controller.signal)).toBeNull();
    expect(findCommandOf(new Error('wrapped', { cause: reason }), controller.signal)).toBe('stop');
  });
});

describe('a comment that comes in the middle of a step', () => {
  /** An inbox that listens, and an interrupter that reads the requests to its run. */
  async function listen() {
    const bed = await setUp();
    const runInbox = bed.openRunInbox();
    await runInbox.begin(await bed.snapshot());
    const requests = async (): Promise<RunSignal> => {
      const verbs = await bed.controls.read(uuid);
      return verbs.includes('pause') ? 'pause' : verbs.includes('stop') ? 'stop' : 'none';
    };
    const made = makeInterrupter({ requests });
    made.interrupter.use(runInbox);
    const pass = async (seconds: number): Promise<void> => {
      bed.clock.ms += seconds * 1_000;
      await made.tick(seconds);
      // The poll, its record on disk, and the reading of what was asked.
      await made.interrupter.settle();
    };
    return { ...made, ...bed, runInbox, pass };
  }

  it('aborts the step within one poll if a trusted user commands it [RL-2]', async () => {
    const { interrupter, pass, say } = await listen();
    say('alice', '/stop');
    await pass(10);
    expect(interrupter.signal.aborted).toBe(false);
    await pass(25);
    expect(interrupter.signal.reason).toMatchObject({ command: 'stop' });
    await interrupter.close();
  });

  it('aborts nothing if an untrusted user writes it, or a user writes something else [RL-2, NX-3]', async () => {
    const { interrupter, pass, say } = await listen();
    say('bob', '/stop');
    say('alice', 'Please stop using tabs.');
    await pass(40);
    await pass(40);
    expect(interrupter.signal.aborted).toBe(false);
    await interrupter.close();
  });

  it('is applied once, however many polls run beside a checkpoint [RL-2]', async () => {
    const { interrupter, pass, say, runInbox, logged } = await listen();
    say('alice', '/pause');
    await Promise.all([
      runInbox.inbox.takeDelivery({ barrier: false }),
      runInbox.heed({ maxAgeMs: 0 }),
      pass(31),
    ]);
    expect(logged.filter(({ msg }) => msg === 'received command')).toHaveLength(1);
    await pass(1);
    expect(interrupter.signal.reason).toMatchObject({ command: 'pause' });
    await interrupter.close();
  });
});
