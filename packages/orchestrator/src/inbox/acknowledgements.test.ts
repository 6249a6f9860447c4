import { PlatformError, type ReactionWriter } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import type { Outbox } from '@agent/run-store';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openMemoryOutbox } from '../../test/memory-outbox.ts';
import { createPerformEntry } from '../outbox/perform-entry.ts';
import type { Run } from '../run/run.ts';
import { createAcknowledgements } from './acknowledgements.ts';

function setUp(
  spoil: (reactions: ReactionWriter) => ReactionWriter | null = (reactions) => reactions,
  outbox?: Outbox,
) {
  const platform = createMemoryPlatform();
  const key = platform.people.openIssue({ author: 'alice', title: 'x' });
  const lines: { readonly level: number; readonly msg: string }[] = [];
  const shutdown = new AbortController();
  const limits: AbortController[] = [];
  const asked: string[] = [];
  const { reactions } = platform.openThread(key);
  if (reactions === null) throw new Error('the platform in memory has reactions');
  const counted: ReactionWriter = {
    ensureReaction: (reaction) => {
      asked.push(reaction.commentId);
      return reactions.ensureReaction(reaction);
    },
  };
  return {
    platform,
    shutdown,
    asked,
    lines,
    /** Lets every wait that is limited now be too long. */
    passTime: () => {
      for (const limit of limits) limit.abort(new Error('too long'));
    },
    say: (body = 'Please.') => platform.people.comment(key, { author: 'alice', body }),
    remove: (id: string) => platform.people.deleteComment(key, id),
    /** The run, as far as the end of its outbox needs it. */
    run: {
      thread: { ports: platform.openThread(key) },
      logger: pino({ level: 'silent' }),
    } as unknown as Run,
    reactionsOn: (id: string) => platform.people.reactionsOn(key, id).map(({ name }) => name),
    acknowledgements: createAcknowledgements({
      reactions: spoil(counted),
      outbox,
      shutdown: shutdown.signal,
      logger: pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) }),
      timeLimit: () => {
        const limit = new AbortController();
        limits.push(limit);
        return limit.signal;
      },
    }),
  };
}

const hanging: ReactionWriter = { ensureReaction: () => new Promise(() => {}) };
const failing = (code: PlatformError['code']): Error => new PlatformError('no', { code });
const ids = (say: () => string, count: number) => Array.from({ length: count }, say);

describe('createAcknowledgements', () => {
  it('gives each reaction once, however often it is asked for', async () => {
    const { acknowledgements, say, reactionsOn, asked } = setUp();
    const [first = '', second = ''] = ids(say, 2);
    acknowledgements.give('seen', [first, second, first]);
    acknowledgements.give('seen', [second]);
    acknowledgements.give('done', [second]);
    await acknowledgements.settle();
    expect(reactionsOn(first)).toEqual(['seen']);
    expect(reactionsOn(second)).toEqual(['seen', 'done']);
    expect(asked).toEqual([first, second, second]);
  });

  it('asks for one at a time', async () => {
    let together = 0;
    let most = 0;
    const { acknowledgements, say, reactionsOn } = setUp((writer) => ({
      ensureReaction: async (reaction) => {
        together += 1;
        most = Math.max(most, together);
        await writer.ensureReaction(reaction);
        together -= 1;
      },
    }));
    const all = ids(say, 5);
    acknowledgements.give('seen', all);
    await acknowledgements.settle();
    expect(most).toBe(1);
    expect(all.map(reactionsOn)).toEqual(all.map(() => ['seen']));
  });

  it('goes on after a failure, and after a comment that is gone', async () => {
    const { acknowledgements, platform, say, remove, reactionsOn, lines } = setUp();
    const [gone = '', refused = '', last = ''] = ids(say, 3);
    remove(gone);
    acknowledgements.give('seen', [gone]);
    await acknowledgements.settle();
    platform.failNext({ operation: 'ensureReaction', error: failing('unavailable') });
    acknowledgements.give('seen', [refused, last]);
    await acknowledgements.settle();
    expect([refused, last].map(reactionsOn)).toEqual([[], ['seen']]);
    expect(lines.map(({ level }) => level)).toEqual([20, 40]);
  });

  it('gives no more in this run after three failures in a row', async () => {
    const { acknowledgements, platform, say, asked, lines } = setUp();
    platform.failNext({ operation: 'ensureReaction', error: failing('forbidden'), times: 100 });
    acknowledgements.give('seen', ids(say, 10));
    await acknowledgements.settle();
    acknowledgements.give('done', ids(say, 2));
    await acknowledgements.settle();
    expect(asked).toHaveLength(3);
    expect(lines.filter(({ level }) => level === 40)).toHaveLength(3);
    expect(lines.at(-1)?.msg).toBe('skipped remaining reactions');
    expect(lines.filter(({ level }) => level === 20)).toHaveLength(1);
  });

  it('gives up a reaction that hangs, and leaves what the end of the run would have to wait for', async () => {
    const { acknowledgements, say, passTime } = setUp(() => hanging);
    acknowledgements.give('seen', ids(say, 10));
    let settled = false;
    const settling = acknowledgements.settle().then(() => {
      settled = true;
    });
    await new Promise(setImmediate);
    expect(settled).toBe(false);
    passTime();
    await settling;
    await acknowledgements.settle();
  });

  it('waits for nothing where the time is over before it begins', async () => {
    const platform = createMemoryPlatform();
    const key = platform.people.openIssue({ author: 'alice', title: 'x' });
    const acknowledgements = createAcknowledgements({
      reactions: hanging,
      shutdown: new AbortController().signal,
      logger: pino({ level: 'silent' }),
      timeLimit: () => AbortSignal.abort(new Error('too long')),
    });
    acknowledgements.give('seen', [platform.people.comment(key, { author: 'alice', body: 'Please.' })]);
    await expect(acknowledgements.settle()).resolves.toBeUndefined();
  });

  it('is of use again after it has settled', async () => {
    const { acknowledgements, say, reactionsOn } = setUp();
    const [first = '', second = ''] = ids(say, 2);
    acknowledgements.give('seen', [first]);
    await acknowledgements.settle();
    acknowledgements.give('seen', [second]);
    await acknowledgements.settle();
    expect([first, second].map(reactionsOn)).toEqual([['seen'], ['seen']]);
  });

  it('ends at once with the process', async () => {
    const { acknowledgements, say, shutdown, lines } = setUp(() => hanging);
    acknowledgements.give('seen', ids(say, 3));
    shutdown.abort();
    await acknowledgements.settle();
    expect(lines).toEqual([expect.objectContaining({ level: 20, count: 2 })]);
  });

  it('takes on nothing once the process ends', async () => {
    const { acknowledgements, say, shutdown, asked, lines } = setUp();
    shutdown.abort();
    acknowledgements.give('seen', [say()]);
    await acknowledgements.settle();
    expect({ asked, lines }).toEqual({ asked: [], lines: [] });
  });

  it('gives what is asked for after nothing was', async () => {
    const { acknowledgements, say, reactionsOn } = setUp();
    const id = say();
    acknowledgements.give('seen', []);
    acknowledgements.give('seen', [id]);
    await acknowledgements.settle();
    expect(reactionsOn(id)).toEqual(['seen']);
  });

  it('does nothing where there are no reactions', async () => {
    const { acknowledgements, say, lines } = setUp(() => null);
    acknowledgements.give('seen', [say()]);
    await acknowledgements.settle();
    expect(lines).toEqual([]);
  });
});

describe('the answer to a command', () => {
  const states = async (outbox: Outbox) => (await outbox.list()).map(({ id, state }) => `${id} ${state}`);
  const perform = createPerformEntry({
    lastLook: async () => [],
    readOverview: () => Promise.reject(new Error('unread')),
  });

  it('is kept before it is given, and given once the thread is the run’s [NX-111]', async () => {
    const outbox = openMemoryOutbox({ now: () => 0 });
    const { acknowledgements, say, reactionsOn } = setUp(undefined, outbox);
    const id = say();
    await acknowledgements.give('done', [id]);
    await acknowledgements.give('seen', [id]);
    await acknowledgements.settle();
    expect([reactionsOn(id), await states(outbox)]).toEqual([[], [`reaction:done:${id} open`]]);
    await acknowledgements.begin();
    await acknowledgements.settle();
    expect(reactionsOn(id)).toEqual(['done', 'seen']);
    expect(await states(outbox)).toEqual([`reaction:done:${id} done`]);
  });

  it('that could not be given is given by the next process, or with the end of the run [NX-111]', async () => {
    const outbox = openMemoryOutbox({ now: () => 0 });
    const refused = { ensureReaction: () => Promise.reject(failing('forbidden')) };
    const first = setUp(() => refused, outbox);
    const id = first.say();
    await first.acknowledgements.begin();
    await first.acknowledgements.give('refused', [id]);
    await first.acknowledgements.settle();
    expect(await states(outbox)).toEqual([`reaction:refused:${id} open`]);
    const next = setUp(undefined, outbox);
    next.say();
    await next.acknowledgements.begin();
    await next.acknowledgements.settle();
    expect(await states(outbox)).toEqual([`reaction:refused:${id} done`]);
  });

  it('is not owed to a comment that somebody has deleted [NX-111]', async () => {
    const outbox = openMemoryOutbox({ now: () => 0 });
    const { acknowledgements, run, say, remove, reactionsOn } = setUp(undefined, outbox);
    const [gone = '', stays = ''] = ids(say, 2);
    await acknowledgements.give('done', [gone, stays]);
    remove(gone);
    const entries = await outbox.list();
    const made = await Promise.all(entries.map((entry) => perform(run, { entry, entries })));
    expect(made).toEqual([
      { state: 'done', made: { gone: true } },
      { state: 'done', made: {} },
    ]);
    expect(reactionsOn(stays)).toEqual(['done']);
  });
});
