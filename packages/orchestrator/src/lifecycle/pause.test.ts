import { createMemoryRunState } from '@agent/run-store/testing';
import type { RunOutcome } from '@agent/runner';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openMemoryOutbox } from '../../test/memory-outbox.ts';
import { createSettleRun, type OpenEntry } from '../outbox/settle-run.ts';
import type { Run } from '../run/run.ts';
import type { AuditEntry } from '../state/audit-log.ts';
import { readPausedBy } from '../state/waits.ts';
import { createPause, giveUpPause, type PauseOptions } from './pause.ts';

const outcome = {
  status: 'needs_input',
  reason: null,
  finalText: null,
  statistics: { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, durationMs: 1 },
} as const;

interface SetUp extends Pick<RunOutcome, 'waitsFor'> {
  readonly isTold?: boolean;
  /** Pending requests to runs. */
  readonly asked?: Awaited<ReturnType<PauseOptions['controls']['list']>>;
  /** User who paused the run by the audit log. */
  readonly actor?: string;
}

function setUp({ waitsFor, isTold = false, asked = [], actor }: SetUp = {}) {
  const now = () => 0;
  const outbox = openMemoryOutbox({ now });
  const log: string[] = [];
  const committed: unknown[] = [];
  const kept: { readonly again: () => Promise<readonly OpenEntry[]> }[] = [];
  const refused = new Set<string>();
  const settle = createSettleRun({
    perform: async (_, { entry }) => {
      if (refused.has(entry.kind)) throw Object.assign(new Error('403'), { code: 'forbidden' });
      log.push(entry.id);
      return { state: 'done', made: {} };
    },
    controls: { read: async () => [], remove: async () => {} },
    now,
  });
  const step = async (name: string) => {
    log.push(name);
    return { resumeCount: 0 } as never;
  };
  const pause = createPause({
    store: {
      commitPause: async (_, state) => {
        committed.push(state.planningState);
        return step('committed');
      },
      pause: () => step('moved'),
      openOutbox: () => outbox,
    },
    controls: { remove: async () => {}, list: async () => asked },
    audit: {
      list: async () =>
        actor === undefined ? [] : [{ action: 'pause', outcome: 'accepted', actor } as AuditEntry],
    },
    composeFinalComment: async () => 'Paused.',
    tellsInStatus: () => isTold,
    settle,
    unsettled: { keep: (one) => void kept.push(one) },
    sleep: async () => {},
    shutdown: new AbortController().signal,
  });
  const run = {
    uuid: 'u',
    position: () => ({ line: 7, check: 'ab' }),
    facts: { number: 1, repository: null, kind: 'issue' },
    thread: { platform: { platform: {} } },
    outbox,
    recordCheck: { requireOwned: () => {} },
    state: createMemoryRunState(),
    logger: pino({ level: 'silent' }),
  } as unknown as Run;
  const states = async () => (await outbox.list()).map(({ id, state: is }) => `${id} ${is}`);
  return {
    pause: () => pause(run, { outcome: { ...outcome, waitsFor } }),
    log,
    committed,
    kept,
    refused,
    states,
    run,
    outbox,
  };
}

it('a pause is shown by entries, in their order, before the run is put aside [RL-4, NX-112]', async () => {
  const { pause, log, kept } = setUp();
  await pause();
  expect(log).toEqual([
    'committed',
    ...['comment', 'status-comment', 'label'].map((name) => `pause:0:${name}`),
    'moved',
  ]);
  expect(kept).toEqual([]);
});

it('is shown without a comment where the run waits for what its own question asks [NX-124]', async () => {
  const { pause, log } = setUp({ waitsFor: { kind: 'answer', id: 'question-1', until: null } });
  await pause();
  expect(log).toEqual(['committed', 'pause:0:status-comment', 'pause:0:label', 'moved']);
});

it('is shown in the status comment alone where that says so [NX-240]', async () => {
  const { pause, log } = setUp({ isTold: true });
  await pause();
  expect(log).toEqual(['committed', 'pause:0:status-comment', 'pause:0:label', 'moved']);
});

it('what is refused of it is tried again while the run waits, and touches nothing else of the run [NX-112]', async () => {
  const { pause, log, kept, refused, states, outbox } = setUp();
  await outbox.open({ id: 'push:1f3a', kind: 'push', data: {} });
  refused.add('comment').add('label');
  await pause();
  expect(log).toEqual(['committed', 'pause:0:status-comment', 'moved']);
  expect(kept).toHaveLength(1);
  refused.clear();
  expect(await kept[0]?.again()).toEqual([]);
  expect(await states()).toEqual([
    'push:1f3a open',
    ...['comment', 'status-comment', 'label'].map((name) => `pause:0:${name} done`),
  ]);
});

it('a run that goes on wants nothing of its pause shown any more [NX-112]', async () => {
  const { pause, refused, states, run, kept } = setUp();
  refused.add('comment');
  await pause();
  await giveUpPause(run);
  expect((await states()).at(0)).toBe('pause:0:comment given-up');
  expect(await kept[0]?.again()).toEqual([]);
});

it('records the user who paused the run, by the request or by the audit log, and nobody for a run that waits [RL-4]', async () => {
  const asked = (by: string | null) => [{ uuid: 'u', verb: 'pause' as const, by }];
  const waitsFor = { kind: 'answer', id: 'question-1', until: null } as const;
  const read = async (given: SetUp) => {
    const { pause, committed } = setUp(given);
    await pause();
    return readPausedBy({ planningState: committed[0] as never });
  };
  expect(await read({ asked: asked('alice'), actor: 'bob' })).toBe('alice');
  expect(await read({ asked: asked(null), actor: 'bob' })).toBe('bob');
  expect(await read({ asked: asked(null) })).toBeNull();
  // An earlier pause, which is over.
  expect(await read({ actor: 'bob' })).toBeNull();
  expect(await read({ asked: asked('alice'), waitsFor })).toBeNull();
});
