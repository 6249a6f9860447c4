import { describe, expect, it } from 'vitest';
import {
  commentSaying,
  createInbox,
  createTool,
  nothingNew,
  runForTest,
  type TestRunOptions,
  toOutcome,
} from '../test/run-setup.ts';
import { createModelOf, createScriptedModel } from '../test/scripted-model.ts';
import { createMemoryRunJournal } from './memory-run-journal.ts';

const failedPoll = { status: 'failed', delivery: null } as const;

describe('the checkpoint', () => {
  it('asks for signals, then comments, then compression, then the model [CD-1, CD-7, CD-8]', async () => {
    const order: string[] = [];
    const note = <Value>(name: string, value: Value) => {
      order.push(name);
      return Promise.resolve(value);
    };
    const model = createScriptedModel(() => note('model', 'Done.'));
    await runForTest({
      model,
      signals: { read: () => note('signals', 'none') },
      comments: { takeDelivery: () => note('comments', nothingNew), markDelivered: () => undefined },
      compressor: { compress: () => note('compression', null) },
    });
    expect(order).toEqual(['signals', 'comments', 'compression', 'model', 'signals', 'comments']);
  });

  it('leaves the comments for later when the run is paused or stopped [RL-2]', async () => {
    for (const signal of ['pause', 'stop'] as const) {
      const comments = createInbox([commentSaying('hello', 'c1')]);
      await runForTest({ model: createModelOf(), comments, signals: { read: async () => signal } });
      expect(comments.barriers).toEqual([]);
    }
  });

  it('asks for signals once more when comments came, so that a command holds before the model is asked [RL-2]', async () => {
    const comments = createInbox([commentSaying('/stop', 'c1')]);
    const model = createModelOf();
    const signals = { read: async () => (comments.delivered.length > 0 ? 'stop' : 'none') } as const;
    const { result } = await runForTest({ model, comments, signals });
    expect(toOutcome(result)).toMatchObject({ status: 'stopped' });
    expect(model.prompts).toEqual([]);
  });

  it('does not ask for signals again where the comments give no command [RL-2]', async () => {
    const plain = commentSaying('hello', 'c1');
    const delivery = plain.delivery === null ? null : { ...plain.delivery, hasCommands: false };
    const comments = createInbox([{ ...plain, delivery }]);
    let asked = 0;
    const signals = { read: async () => (++asked > 0 ? 'none' : 'stop') } as const;
    await runForTest({ model: createModelOf('Done.'), comments, signals });
    expect(asked).toBe(2);
  });

  const defect = () => (undefined as unknown as { list: () => never }).list();
  it.each([
    [
      'an inbox that throws',
      { comments: { takeDelivery: async () => defect(), markDelivered: () => undefined } },
    ],
    [
      'an inbox whose source has the defect',
      { comments: createInbox([{ ...failedPoll, error: new TypeError('listing is not iterable') }]) },
    ],
    ['signals', { signals: { read: async () => defect() } }],
  ] satisfies [string, Partial<TestRunOptions>][])(
    'ends the run with a TypeError at a programming error of %s, before the model is asked [NX-418]',
    async (_name, ports) => {
      const model = createModelOf('Done.');
      const running = runForTest({ model, ...ports });
      await expect(running).rejects.toThrow(
        /^A checkpoint failed with a programming error: .*Set "(comments|signals)"/,
      );
      await expect(running).rejects.toBeInstanceOf(TypeError);
      expect(model.prompts).toEqual([]);
    },
  );

  it('continues when the network fails with a TypeError of fetch', async () => {
    const offline = new TypeError('fetch failed', {
      cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    });
    const comments = createInbox([offline, { ...failedPoll, error: offline }]);
    const { result } = await runForTest({ model: createModelOf('Done.'), comments, sleep: async () => {} });
    expect(toOutcome(result)).toMatchObject({ status: 'completed' });
  });

  it('goes on when it cannot ask for signals, and asks again at the next', async () => {
    const answers = [() => Promise.reject(new Error('down')), async () => 'stop' as const];
    let asked = 0;
    const read = () => (answers[asked++] as (typeof answers)[0])() as Promise<'stop'>;
    const { result } = await runForTest({ model: createModelOf('Done.'), signals: { read } });
    expect(toOutcome(result)).toMatchObject({ status: 'stopped', finalText: 'Done.' });
  });

  it('delivers comments as one message of the user, journaled before the request goes out [NX-2, B16]', async () => {
    const journal = createMemoryRunJournal();
    const comments = createInbox([nothingNew, commentSaying('[New Comment from @a]:\nwait', 'c7')]);
    const model = createModelOf([{ id: '1', tool: 'echo', input: { text: 'x' } }], 'Done.');
    await runForTest({ model, journal, comments, tools: { echo: createTool((text) => text) } });
    expect(comments.delivered).toEqual(['c7']);
    expect(journal.entries[4]).toMatchObject({
      seq: 5,
      message: { role: 'user', content: '[New Comment from @a]:\nwait' },
      delivers: [{ id: 'c7', revision: 'c7-1', kind: 'added' }],
    });
    // After the tool's result, never between a call and its result.
    expect(model.prompts[1]?.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'user',
    ]);
  });

  it('does not call a delivery delivered when its line was not written', async () => {
    const comments = createInbox([commentSaying('hello', 'c1')]);
    const journal = createMemoryRunJournal();
    const append: typeof journal.append = (event) =>
      event.type === 'message' && event.delivers.length > 0
        ? Promise.reject(new Error('no'))
        : journal.append(event);
    const { result } = await runForTest({
      model: createModelOf(),
      comments,
      journal: { ...journal, append },
    });
    expect(toOutcome(result).status).toBe('failed');
    expect(comments.delivered).toEqual([]);
  });

  it('keeps the context whole when the compression fails, and replaces it when it does not', async () => {
    const summary = { startSeq: 2, endSeq: 4, text: 'They asked, and it was looked at.' };
    const model = createModelOf([{ id: '1', tool: 'echo', input: { text: 'x' } }], 'Done.');
    let calls = 0;
    const { journal } = await runForTest({
      model,
      tools: { echo: createTool((text) => text) },
      compressor: {
        compress: async ({ seqs }) => {
          calls += 1;
          if (calls === 1) throw new Error('the model is busy');
          expect(seqs).toEqual([2, 3, 4]);
          return { messages: [{ role: 'user', content: summary.text }], summary };
        },
      },
    });
    expect(model.prompts[0]?.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(JSON.stringify(model.prompts[1])).not.toContain('Mend it.');
    expect(model.prompts[1]?.[0]).toMatchObject({ role: 'system', content: 'You mend things.' });
    expect(journal.entries.filter(({ type }) => type === 'summary')).toHaveLength(1);
  });
});

describe('the barrier before the end', () => {
  it('is kept from passing five times by who speaks at every answer, over all calls that are of one run [B21]', async () => {
    const journal = createMemoryRunJournal();
    const model = createScriptedModel(() => 'Done.');
    const finishRounds = { rounds: 0 };
    const carry = () => {
      let said = 0;
      const takeDelivery = async () => commentSaying('And?', `c${finishRounds.rounds}-${said++}`);
      const comments = { takeDelivery, markDelivered: () => undefined };
      return runForTest({ model, journal, comments, finishRounds });
    };
    expect(toOutcome((await carry()).result)).toMatchObject({ status: 'completed' });
    const asked = model.prompts.length;
    expect(asked).toBe(6);
    expect(toOutcome((await carry()).result)).toMatchObject({ status: 'completed' });
    expect(model.prompts).toHaveLength(asked);
  });

  it('answers a comment that came during the last model call before it ends [NX-3]', async () => {
    const comments = createInbox([nothingNew, commentSaying('and the tests?', 'c1')]);
    const model = createModelOf('Done.', 'Tests added.');
    const { result } = await runForTest({ model, comments });
    expect(toOutcome(result)).toMatchObject({ status: 'completed', finalText: 'Tests added.' });
    expect(comments.barriers).toEqual([false, true, false, true]);
  });

  it('lets itself be kept from ending five times, not for ever [NX-3]', async () => {
    const answers = Array.from({ length: 6 }, (_, index) => `Answer ${index}`);
    const looks = answers.flatMap((_, index) => [nothingNew, commentSaying('more', `c${index}`)]);
    const { result } = await runForTest({ model: createModelOf(...answers), comments: createInbox(looks) });
    expect(toOutcome(result)).toMatchObject({ status: 'completed', finalText: 'Answer 5' });
  });

  it('tries for a minute when it cannot ask, then ends [NX-3]', async () => {
    const waits: number[] = [];
    const comments = createInbox([nothingNew, ...Array.from({ length: 20 }, () => failedPoll)]);
    const sleep = async (milliseconds: number) => void waits.push(milliseconds);
    const { result } = await runForTest({ model: createModelOf('Done.'), comments, sleep });
    expect(toOutcome(result).status).toBe('completed');
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(60_000);
  });

  it('takes a look that fails for no answer, and delivers what the next one brings', async () => {
    const comments = createInbox([nothingNew, new Error('reset'), commentSaying('hi', 'c1')]);
    const sleep = async () => undefined;
    const { result } = await runForTest({ model: createModelOf('Done.', 'Hi.'), comments, sleep });
    expect(toOutcome(result).finalText).toBe('Hi.');
  });

  it('asks for pause and stop there too, and keeps the answer that was given', async () => {
    let asked = 0;
    const signals = { read: async () => (asked++ === 0 ? ('none' as const) : ('pause' as const)) };
    const { result } = await runForTest({ model: createModelOf('Done.'), signals });
    expect(toOutcome(result)).toMatchObject({ status: 'needs_input', finalText: 'Done.' });
  });
});
