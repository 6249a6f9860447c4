import { isStepCount, streamText, ToolLoopAgent } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { textReply, toStreamed } from '../../test/model-reply.ts';
import { TestThread } from '../../test/thread-setup.ts';
import type { CommentDetectionError } from '../index.ts';
import { generateWithComments } from '../plain/index.ts';
import { createCommentPrepareStep } from '../prepare-step/index.ts';
import { withComments } from './with-comments.ts';

const running = 'Another call with this CommentDetectionManager is running';

/** A model that answers when it is told to. */
function createModel(answer: () => Promise<string>) {
  const reply = async () => textReply(await answer());
  return new MockLanguageModelV4({
    doGenerate: reply,
    doStream: async () => toStreamed(await reply()),
  });
}

const go = { messages: [{ role: 'user' as const, content: 'go' }] };

afterEach(() => void vi.restoreAllMocks());

describe('a second call with one manager', () => {
  it('is refused while the first one runs, and each comment is delivered once', async () => {
    const thread = new TestThread();
    const manager = thread.manager();
    await manager.initialize();
    thread.pass();
    thread.say('1');
    const first = Promise.withResolvers<string>();
    const model = createModel(() => first.promise);
    const agent = withComments(new ToolLoopAgent({ model }), manager);
    const calls = [agent.generate({ prompt: 'a' }), agent.generate({ prompt: 'b' })];
    await expect(calls[1]).rejects.toThrow(TypeError);
    await expect(calls[1]).rejects.toThrow(running);
    await expect(agent.stream({ prompt: 'c' })).rejects.toThrow(running);
    await expect(withComments(streamText, manager)({ model, prompt: 'd' })).rejects.toThrow(running);
    const plain = generateWithComments(async () => ({ response: { messages: [] } }), {
      manager,
      call: { prompt: 'e' },
    });
    await expect(plain).rejects.toThrow(running);
    await expect(createCommentPrepareStep(manager)(go)).rejects.toThrow(running);
    first.resolve('done');
    await calls[0];
    expect(model.doGenerateCalls).toHaveLength(1);
    expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).toContain('text 1');
    expect(manager.listUndelivered()).toEqual([]);
  });

  it('runs after the first one has ended, failed, or was aborted', async () => {
    const manager = new TestThread().manager();
    let answer = async (): Promise<string> => {
      throw new Error('the model is down');
    };
    const loop = new ToolLoopAgent({ model: createModel(() => answer()), maxRetries: 0 });
    const agent = withComments(loop, manager);
    await expect(agent.generate({ prompt: 'go' })).rejects.toThrow('the model is down');
    const failed = await agent.stream({ prompt: 'go' });
    await expect(Promise.resolve(failed.text)).rejects.toThrow();
    const caller = new AbortController();
    answer = () => new Promise(() => {});
    await agent.stream({ prompt: 'go', abortSignal: caller.signal });
    await expect(agent.stream({ prompt: 'go' })).rejects.toThrow(running);
    caller.abort();
    answer = async () => 'done';
    expect(await (await agent.stream({ prompt: 'go' })).text).toBe('done');
    expect((await agent.generate({ prompt: 'go' })).text).toBe('done');
  });

  it('of a bare prepareStep is refused while the first one asks the thread', async () => {
    const manager = new TestThread().manager();
    const prepareStep = createCommentPrepareStep(manager);
    const steps = [prepareStep(go), prepareStep(go)];
    await expect(steps[1]).rejects.toThrow(running);
    await steps[0];
    await expect(prepareStep(go)).resolves.toBeUndefined();
  });
});

describe('a call that ends with undelivered comments', () => {
  /** A user comments during each answer. */
  function createBusyThread() {
    const thread = new TestThread();
    let said = 0;
    const model = createModel(async () => {
      thread.pass();
      said += 1;
      thread.say(String(said));
      return `answer ${said}`;
    });
    const told: CommentDetectionError[] = [];
    return { thread, model, told, onError: (error: CommentDetectionError) => void told.push(error) };
  }

  it.each(['generate', 'stream'] as const)('reports them: %s, by maxRounds', async (way) => {
    const { thread, model, told, onError } = createBusyThread();
    const agent = withComments(new ToolLoopAgent({ model }), thread.manager(), { maxRounds: 1, onError });
    if (way === 'generate') await agent.generate({ prompt: 'go' });
    else await (await agent.stream({ prompt: 'go' })).text;
    expect(told.map(({ code, isPermanent, message }) => [code, isPermanent, message])).toEqual([
      [
        'undelivered',
        false,
        'The call ended with 1 comment undelivered. Comments have kept it from ending 1 times (maxRounds). The next call delivers them, and manager.listUndelivered() lists them.',
      ],
    ]);
  });

  it('reports them: by the stop condition, and of untrusted users', async () => {
    const { thread, model, told, onError } = createBusyThread();
    const manager = thread.manager({ authorityOf: () => 'untrusted' });
    const loop = new ToolLoopAgent({ model, stopWhen: isStepCount(1) });
    await withComments(loop, manager, { onError }).generate({ prompt: 'go' });
    expect(told.map(({ message }) => message)).toEqual([
      expect.stringContaining('1 comment undelivered (1 by untrusted users). Its stop condition was met'),
    ]);
  });

  it('fails if onError returns "fail", and warns on the console without onError', async () => {
    const { thread, model } = createBusyThread();
    const loop = new ToolLoopAgent({ model });
    const failing = withComments(loop, thread.manager(), { maxRounds: 0, onError: () => 'fail' });
    await expect(failing.generate({ prompt: 'go' })).rejects.toMatchObject({ code: 'undelivered' });
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await withComments(loop, thread.manager(), { maxRounds: 0 }).generate({ prompt: 'go' });
    expect(warn.mock.calls).toEqual([[expect.stringContaining('The call ended with 1 comment undelivered')]]);
  });

  it('reports them: generateWithComments', async () => {
    const { thread, model, told, onError } = createBusyThread();
    const agent = new ToolLoopAgent({ model });
    const call = { prompt: 'go' };
    const generate = async ({ messages = [] }: { messages?: never[] }) => agent.generate({ messages });
    await generateWithComments(generate as never, {
      ...{ manager: thread.manager(), call, maxRounds: 1, onError },
    });
    expect(told.map(({ code }) => code)).toEqual(['undelivered']);
  });
});
