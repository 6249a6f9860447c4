import { PlatformError } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { APICallError, generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openRunComments } from '../../test/memory-outbox.ts';
import { TaskBoard } from '../board/task-board.ts';
import { waitForModel, watchModel } from './watch-model.ts';

const answer = {
  content: [{ type: 'text' as const, text: 'ok' }],
  finishReason: { unified: 'stop' as const, raw: 'stop' },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
  warnings: [],
};

function setUp(statusCode: number | undefined) {
  let time = 0;
  const board = new TaskBoard({ now: () => time });
  const watch = watchModel({
    once: false,
    stepTimeoutMs: 1_000,
    logger: pino({ level: 'silent' }),
    observe: board.observe,
    locale: 'en',
    hideKnownSecrets: (text) => text,
    onReturn: () => undefined,
    onGivenUp: () => undefined,
    now: () => time,
  });
  let answers = false;
  const doGenerate = async () => {
    if (answers) return answer;
    const call = { message: 'no', url: 'http://127.0.0.1/v1', requestBodyValues: {} };
    throw new APICallError(statusCode === undefined ? call : { ...call, statusCode });
  };
  const model = watch.circuit.watch(new MockLanguageModelV4({ doGenerate }));
  const fail = () => generateText({ model, prompt: 'x', maxRetries: 0 }).catch(() => undefined);
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  const answerAgain = () => {
    answers = true;
    return generateText({ model, prompt: 'x', maxRetries: 0 });
  };
  return { watch, board, fail, pass, answerAgain, now: () => time };
}

describe('while the model does not answer', () => {
  it.each([
    [undefined, 'waiting'],
    [401, 'failed'],
  ])('a condition says so until it answers (HTTP %s)', async (status, state) => {
    const { board, fail, pass, answerAgain } = setUp(status);
    for (let times = 0; times < 3; times += 1) await fail();
    expect(board.state.conditions.get('model')).toMatchObject({ state, since: 0 });
    pass(700_000);
    await answerAgain();
    expect(board.state.conditions.get('model')).toMatchObject({ state: 'ok', since: 700_000 });
  });

  it.each([undefined, 401, 500])(
    'no task begins but one alone, to try it (HTTP %s) [NX-41, NX-42]',
    async (status) => {
      const { watch, fail, pass } = setUp(status);
      for (let times = 0; times < 3; times += 1) await fail();
      expect(watch.holdMs(0)).toBeGreaterThan(0);
      pass(700_000);
      expect(watch.holdMs(0)).toBe(0);
      expect(watch.holdMs(1)).toBeGreaterThan(0);
    },
  );
});

describe('a run whose model is away for a quarter of an hour', () => {
  const wait = async (isKept: boolean, refusals = 0) => {
    const { watch, fail, pass, answerAgain, now } = setUp(503);
    for (let times = 0; times < 3; times += 1) await fail();
    const platform = createMemoryPlatform();
    const key = platform.people.openIssue({ author: 'alice', title: 'Sum' });
    const error = new PlatformError('locked', { code: 'forbidden' });
    if (refusals > 0) platform.failNext({ operation: 'ensureComment', error, times: refusals });
    const ports = platform.openThread(key);
    const kept = new Map<string, unknown>();
    const away: boolean[] = [];
    const said: string[] = [];
    const list = async () => (await ports.comments.listComments({ since: null })).comments;
    const run = {
      ...{
        uuid: 'a',
        claim: { isKept },
        thread: { writer: openRunComments(ports.writer) },
        logger: pino({ level: 'silent' }),
      },
      facts: { locale: 'en' },
      progress: { modelIsAway: (failure: object | null) => void away.push(failure !== null) },
      state: {
        read: async (name: string) => kept.get(name) ?? null,
        write: async (name: string, value: unknown) => void kept.set(name, value),
      },
    } as unknown as Parameters<typeof waitForModel>[1];
    const sleep = async (milliseconds: number) => {
      pass(Math.max(milliseconds, 60_000));
      if (now() > 900_000) await answerAgain();
    };
    const { availability } = waitForModel(
      { watch: { circuit: watch.circuit, maxOutageMs: undefined }, sleep },
      run,
      now,
    );
    for (let calls = 0; calls < 50 && watch.circuit.state.since !== null; calls += 1) {
      await availability.admit({ signal: new AbortController().signal });
      await fail();
      pass(60_000);
      said.push(...(await list()).map(({ body }) => body));
      if (now() > 900_000) await answerAgain();
    }
    await availability.admit({ signal: new AbortController().signal });
    return { away, said, comments: await list() };
  };

  it('makes no comment of its own where the status comment names that [NX-254]', async () => {
    const { away, comments } = await wait(true);
    expect(away[0]).toBe(true);
    expect(away.at(-1)).toBe(false);
    expect(comments).toEqual([]);
  });

  it('says at last that the model is back, if the platform refused to say that it is away [NX-254]', async () => {
    const { comments } = await wait(false, 1);
    expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining('available again')]);
  });

  it('is told of in one comment where there is no other, which says when the model is back [NX-254]', async () => {
    const { said, comments } = await wait(false);
    expect(said.join()).toContain('more than 10 minutes');
    expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining('available again')]);
  });
});
