import type { SourceComment } from '@agent/comment-detection';
import type { RunSignal } from '@agent/runner';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createKnownComments, type SaidChange } from '../plan/known-comments.ts';
import { createTextGuard } from '../thread/text-guard.ts';
import { createPrePlanningCheckpoint } from './checkpoint.ts';

const logger = pino({ level: 'silent' });
const isTrusted = async () => true;
const guard = createTextGuard({ nonce: 'n', clean: async (text) => text, isTrusted, logger });
const say = (body: string, id = '1'): SourceComment => ({
  id,
  author: { id: '1', login: 'alice', kind: 'person' },
  body,
  createdAt: '2026-03-01T10:00:00Z',
  updatedAt: '2026-03-01T11:00:00Z',
});

/** A checkpoint on a thread on which people do this at the look after next. */
function setUp(heard: readonly (readonly SaidChange[])[], { missed = [] as readonly SaidChange[] } = {}) {
  let signal: RunSignal = 'none';
  let isUsedUp = false;
  const looks = [...heard];
  const seen = new Map<string, SaidChange>();
  const checkpoint = createPrePlanningCheckpoint({
    runInbox: {
      guard,
      runCommands: async () => {
        for (const change of looks.shift() ?? []) {
          if (change.kind === 'deleted') seen.delete(change.comment.id);
          else seen.set(change.comment.id, change);
          if (change.comment.body.startsWith('/stop')) signal = 'stop';
        }
        return [...seen.values()].map((change) => ({ ...change, previousBody: null, revision: 'r' }));
      },
    },
    signals: { read: async () => signal },
    missed,
    known: createKnownComments([]),
    isUsedUp: () => isUsedUp,
    shutdown: new AbortController().signal,
    logger,
  });
  const useUp = (): void => {
    isUsedUp = true;
  };
  const set = (to: RunSignal): void => {
    signal = to;
  };
  return { checkpoint, useUp, set };
}

describe('a checkpoint while a run pre-plans', () => {
  it('lets a command hold before the model is asked again, and keeps what was said [PP-57, RL-2]', async () => {
    const { checkpoint } = setUp([[], [{ kind: 'added', comment: say('/stop') }]]);
    expect(await checkpoint.pass()).toEqual({ newComments: [], interrupts: false });
    expect(await checkpoint.pass()).toMatchObject({ newComments: [{ author: 'alice' }], interrupts: true });
    expect(checkpoint.interruption()).toBe('stop');
  });

  it('takes in what was missed also where it goes no further, so that it is heard once', async () => {
    const { checkpoint, set } = setUp([], { missed: [{ kind: 'added', comment: say('Short, please.') }] });
    set('pause');
    expect(await checkpoint.pass()).toMatchObject({
      newComments: [{ body: 'Short, please.' }],
      interrupts: true,
    });
    set('none');
    expect(await checkpoint.pass()).toEqual({ newComments: [], interrupts: false });
  });

  it('tells an edit and a deletion once each, as something new about the earlier comment [PP-58]', async () => {
    const { checkpoint } = setUp([
      [{ kind: 'added', comment: say('Count quantities.') }],
      // Told to nobody yet, it is still an addition to whoever listens.
      [{ kind: 'added', comment: say('Count weights.') }],
      [{ kind: 'deleted', comment: say('Count weights.') }],
    ]);
    const told = [];
    for (let pass = 0; pass < 4; pass += 1) {
      const answer = await checkpoint.pass();
      told.push(typeof answer === 'string' ? answer : answer.newComments.map(({ body }) => body));
    }
    expect(told).toEqual([
      ['Count quantities.'],
      ['(This replaces the comment of 2026-03-01T10:00:00Z:)\n\nCount weights.'],
      ['(The comment of 2026-03-01T10:00:00Z was deleted. Ignore it.)'],
      [],
    ]);
  });

  it('asks nothing more once a limit of the run is used up [RL-14]', async () => {
    const { checkpoint, useUp } = setUp([]);
    useUp();
    expect(await checkpoint.pass()).toMatchObject({ interrupts: true });
    expect(checkpoint.interruption()).toBe('limit');
  });
});
