import { PlatformError } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDoIntent, openMemoryOutbox } from '../../test/memory-outbox.ts';
import { createPerformEntry } from '../outbox/perform-entry.ts';
import { createSettleRun } from '../outbox/settle-run.ts';
import { createRunComments } from './run-comments.ts';

const now = () => 0;
let platform: ReturnType<typeof createMemoryPlatform>;
beforeEach(() => {
  platform = createMemoryPlatform();
});

function setUp() {
  const key = platform.people.openIssue({ author: 'alice', title: 'Hello' });
  const ports = platform.openThread(key);
  const outbox = openMemoryOutbox({ now });
  const run = { uuid: 'u', outbox, logger: pino({ level: 'silent' }), thread: { ports } };
  const settle = createSettleRun({
    perform: createPerformEntry({
      lastLook: () => expect.unreachable(),
      readOverview: () => expect.unreachable(),
    }),
    controls: { read: async () => [], remove: async () => {} },
    now,
  });
  return {
    comments: createRunComments(run, { writer: ports.writer, doIntent: openDoIntent(now) }),
    settle: () => settle(run as never),
    bodies: () => platform.people.commentsOn(key).map(({ body }) => body.split('\n').at(-1)),
    states: async () => (await outbox.list()).map(({ id, state }) => `${id} ${state}`),
  };
}

const refuse = (code: 'forbidden' | 'unavailable') =>
  platform.failNext({ operation: 'ensureComment', error: new PlatformError('locked', { code }) });

describe('comments of a run', () => {
  it.each(['forbidden', 'unavailable'] as const)(
    'that inform people are written later where the platform refuses them (%s) [NX-110]',
    async (code) => {
      const { comments, settle, bodies, states } = setUp();
      refuse(code);
      expect(await comments.post({ topic: 'notice', body: 'Hello.' })).toBe(false);
      expect([bodies(), await states()]).toEqual([[], ['comment:notice#1 open']]);
      expect(await settle()).toEqual([]);
      expect([bodies(), await states()]).toEqual([['Hello.'], ['comment:notice#1 done']]);
    },
  );

  it('without which the run cannot continue reject, and have the same entry when they are written again [NX-110]', async () => {
    const { comments, states } = setUp();
    refuse('forbidden');
    const question = { topic: 'question', body: 'Which one?' };
    await expect(comments.require(question)).rejects.toMatchObject({ name: 'OpenIntentError' });
    expect(await comments.require(question)).toEqual({ id: expect.any(String) });
    expect(await states()).toEqual(['comment:question#1 done']);
  });

  it('on one topic have the last text, whichever of them was refused [NX-110]', async () => {
    const { comments, settle, bodies } = setUp();
    const say = (body: string) => comments.post({ topic: 'model', body });
    await say('It is away.');
    refuse('forbidden');
    await say('It is back.');
    await say('It is away.');
    expect(bodies()).toEqual(['It is away.']);
    await settle();
    expect(bodies()).toEqual(['It is away.']);
  });
});
