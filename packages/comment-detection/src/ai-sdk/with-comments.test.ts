import { type FaultyModel, startFaultyModel } from '@agent/simulators/model';
import { createOpenAI } from '@ai-sdk/openai';
import { isStepCount, type ModelMessage, type StepResult, ToolLoopAgent, type ToolSet, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { textReply, toolReply, toStreamed } from '../../test/model-reply.ts';
import { TestThread } from '../../test/thread-setup.ts';
import { type CommentDetectionError, CommentDetectionManager } from '../index.ts';
import { toConversation } from './to-conversation.ts';
import { type WithCommentsOptions, withComments } from './with-comments.ts';

type Replies = readonly (() => ReturnType<typeof textReply>)[];

/** An agent whose model gives one reply after the other; replies and tools may write on the thread. */
function createAgent(replies: Replies, onWork: () => void = () => undefined) {
  let next = 0;
  const answer = () => (replies[next++] ?? (() => textReply('done')))();
  const model = new MockLanguageModelV4({
    doGenerate: async () => answer(),
    doStream: async () => toStreamed(answer()),
  });
  const work = tool({
    description: 'Works.',
    inputSchema: z.object({}),
    execute: async () => {
      onWork();
      return 'worked';
    },
  });
  const agent = new ToolLoopAgent({ model, tools: { work } });
  const prompts = () =>
    [...model.doStreamCalls, ...model.doGenerateCalls].map(({ prompt }) =>
      prompt.map(({ role, content }) => {
        const [part] = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
        return `${role}: ${part?.type === 'text' ? part.text : part?.type}`;
      }),
    );
  return { agent, prompts };
}

const hello = 'user: [New Comment from @alice]:\ntext 1';

describe('withComments', () => {
  it('hears before the next step what was said during a tool call, after its result [CD-2] [NX-3] [B16]', async () => {
    const thread = new TestThread();
    const { agent, prompts } = createAgent([() => toolReply('a'), () => textReply('done')], () => {
      thread.pass();
      thread.say('1');
    });
    await withComments(agent, thread.manager()).generate({ prompt: 'go' });
    expect(prompts()).toEqual([
      ['user: go'],
      ['user: go', 'assistant: tool-call', 'tool: tool-result', hello],
    ]);
  });

  it('answers what was said during the last model call before it ends, in one result [NX-3]', async () => {
    const thread = new TestThread();
    const manager = thread.manager();
    const last = () => {
      thread.say('1');
      return textReply('done');
    };
    const { agent, prompts } = createAgent([last, () => textReply('heard')]);
    const result = await withComments(agent, manager).generate({ prompt: 'go' });
    expect(result.text).toBe('heard');
    expect(result.steps.map(({ text }) => text)).toEqual(['done', 'heard']);
    expect(prompts()[1]).toEqual(['user: go', 'assistant: done', hello]);
    expect(manager.listUndelivered()).toEqual([]);
  });

  it('is kept from ending at most five times [NX-3]', async () => {
    const thread = new TestThread();
    const busy = Array.from({ length: 9 }, (_, index) => () => {
      thread.pass();
      thread.say(String(index));
      return textReply(`answer ${index}`);
    });
    const manager = thread.manager();
    const hearing = withComments(createAgent(busy).agent, manager, { onError: () => 'go-on' });
    expect((await hearing.generate({ prompt: 'go' })).text).toBe('answer 5');
    expect(manager.listUndelivered()).toMatchObject([{ comment: { id: '5' } }]);
  });

  it('keeps the stop conditions of the agent, and hears the rest at the next call', async () => {
    const thread = new TestThread();
    const said = () => {
      thread.say('1');
      return textReply('done');
    };
    const model = new MockLanguageModelV4({
      doGenerate: async () => (thread.comments.length ? textReply('heard') : said()),
    });
    const loop = new ToolLoopAgent({ model, stopWhen: isStepCount(1) });
    const agent = withComments(loop, thread.manager(), { onError: () => 'go-on' });
    expect((await agent.generate({ prompt: 'go' })).text).toBe('done');
    thread.pass();
    await agent.generate({ prompt: 'go on' });
    expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('New Comment from @alice');
  });

  it('offers again what went with a request that failed', async () => {
    const thread = new TestThread();
    const manager = thread.manager();
    await manager.initialize();
    thread.pass();
    thread.say('1');
    const failing = () => {
      throw new Error('the model is down');
    };
    const { agent, prompts } = createAgent([failing, () => textReply('done')]);
    const hearing = withComments(agent, manager);
    await expect(hearing.generate({ prompt: 'go' })).rejects.toThrow('the model is down');
    await hearing.generate({ prompt: 'go' });
    expect(prompts()[1]).toContain(hello);
  });

  it('waits at the end for a thread that cannot be read, and then ends [NX-3]', async () => {
    const thread = new TestThread();
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => {
      waits.push(milliseconds);
      thread.pass(milliseconds);
    };
    const { agent } = createAgent([() => textReply('done')]);
    const manager = thread.manager();
    await manager.initialize();
    thread.answers.push(...Array.from({ length: 20 }, () => outage()));
    const told: string[] = [];
    const onError = ({ code, isPermanent }: CommentDetectionError) =>
      void told.push(`${code} ${isPermanent}`);
    const result = await withComments(agent, manager, { sleep, onError }).generate({ prompt: 'go' });
    expect(result.text).toBe('done');
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 29_000]);
    expect(new Set(told)).toEqual(new Set(['look-failed false', 'ended-unheard false']));
    waits.length = 0;
    await withComments(agent, manager, { sleep, onError, maxWaitMs: 2500 }).generate({ prompt: 'go' });
    expect(waits).toEqual([1000, 1500]);
  });

  it('keeps nobody waiting whose thread can be read, and asks at most as often as it is told [NX-50]', async () => {
    const thread = new TestThread();
    const busy = Array.from({ length: 9 }, (_, index) => () => {
      thread.pass();
      thread.say(String(index));
      return textReply(`answer ${index}`);
    });
    const options: WithCommentsOptions = { maxRounds: 1, onError: () => 'go-on' };
    const agent = withComments(createAgent(busy).agent, thread.manager(), options);
    expect((await agent.generate({ prompt: 'go' })).text).toBe('answer 1');
    expect(thread.waits).toEqual([]);
  });

  it("tells the caller's own callbacks of every step", async () => {
    const thread = new TestThread();
    const { agent } = createAgent([() => toolReply('a'), () => textReply('done')]);
    const steps: string[] = [];
    const onStepEnd = ({ finishReason }: { finishReason: string }) => void steps.push(finishReason);
    await withComments(agent, thread.manager()).generate({ prompt: 'go', onStepEnd });
    expect(steps).toEqual(['tool-calls', 'stop']);
  });
});

/** Errors that waiting may cure. */
const outage = () => Object.assign(new Error('down'), { code: 'unavailable' });
const refused = () => Object.assign(new Error('Bad credentials'), { status: 401 });

describe('withComments, when the thread cannot be heard', () => {
  it('fails the call at once where the source will never answer, before, within and after its steps [NX-50]', async () => {
    for (const way of ['generate', 'stream'] as const) {
      for (const failsAt of [0, 1, 2]) {
        const thread = new TestThread();
        const { agent, prompts } = createAgent([() => toolReply('a'), () => textReply('done')], () =>
          thread.pass(),
        );
        const source = {
          listComments: async (look: Parameters<typeof thread.source.listComments>[0]) => {
            if (thread.looks.length >= failsAt) throw refused();
            return thread.source.listComments(look);
          },
        };
        const manager = new CommentDetectionManager(source, { ...thread.options(), sleep: undefined });
        thread.pass();
        const hearing = withComments(agent, manager);
        const call = async () =>
          way === 'generate'
            ? await hearing.generate({ prompt: 'go' })
            : await (await hearing.stream({ prompt: 'go' })).text;
        await expect(call(), `${way} at look ${failsAt}`).rejects.toMatchObject({
          name: 'CommentDetectionError',
          isPermanent: true,
          message: expect.stringContaining('Bad credentials'),
          cause: { status: 401 },
        });
        expect(prompts().length).toBe(failsAt);
      }
    }
  });

  it('fails for a defect of the source, and goes on deaf where the caller says so [NX-50]', async () => {
    const thread = new TestThread();
    thread.answers.push(new TypeError('x is not a function'));
    const { agent } = createAgent([]);
    await expect(withComments(agent, thread.manager()).generate({ prompt: 'go' })).rejects.toThrow(
      "The thread's comments could not be read: x is not a function. Waiting does not help",
    );
    const deaf: WithCommentsOptions = { onError: () => 'go-on', maxWaitMs: 0 };
    thread.answers.push(refused(), refused(), refused());
    expect((await withComments(agent, thread.manager(), deaf).generate({ prompt: 'go' })).text).toBe('done');
  });

  it('says when prepareStep leaves the comments out, and asks the model once [NX-50]', async () => {
    const thread = new TestThread();
    const manager = thread.manager();
    await manager.initialize();
    thread.pass();
    thread.say('1');
    const model = new MockLanguageModelV4({ doGenerate: async () => textReply('done') });
    const agent = new ToolLoopAgent({
      model,
      prepareStep: ({ initialMessages, responseMessages }) => ({
        messages: [...initialMessages, ...responseMessages],
      }),
    });
    const told: CommentDetectionError[] = [];
    await withComments(agent, manager, { onError: (error) => void told.push(error) }).generate({
      prompt: 'go',
    });
    expect(model.doGenerateCalls).toHaveLength(1);
    expect(told).toMatchObject([
      { code: 'left-out', message: expect.stringContaining('experimental_steeringMessages') },
    ]);
    expect(manager.listUndelivered()).toHaveLength(1);
  });

  it("stops looking when the call's own signal says so [NX-50]", async () => {
    const thread = new TestThread();
    const signals: (AbortSignal | undefined)[] = [];
    const listComments: typeof thread.source.listComments = (options) => {
      signals.push(options.signal);
      return thread.source.listComments(options);
    };
    const manager = new CommentDetectionManager({ listComments }, thread.options());
    const caller = new AbortController();
    const { agent } = createAgent([]);
    await withComments(agent, manager).generate({ prompt: 'go', abortSignal: caller.signal });
    expect(signals.at(-1)?.aborted).toBe(false);
    caller.abort();
    expect(signals.at(-1)?.aborted).toBe(true);
  });

  it('refuses what cannot work when it is wrapped [NX-50]', () => {
    const { agent } = createAgent([]);
    expect(() => withComments(agent, undefined as never)).toThrow(
      'The manager of withComments must be a CommentDetectionManager',
    );
    const manager = new CommentDetectionManager(new TestThread().source, { enabled: false });
    for (const wrong of [undefined, { generate: agent.generate }, { stream: agent.stream }])
      expect(() => withComments(wrong as never, manager)).toThrow('withComments needs an agent');
    expect(() => withComments(agent, manager, { onErorr: () => 'fail' } as never)).toThrow(
      'WithCommentsOptions.onErorr is unknown. Did you mean onError?',
    );
    expect(() => withComments(agent, manager, { maxRounds: Number.NaN })).toThrow(
      'WithCommentsOptions.maxRounds must be',
    );
  });
});

describe('a caller that saves', () => {
  /** The caller saves at the end of each step and dies in the second model call; its successor goes on. */
  it('in onStepEnd hears nothing twice and misses nothing after a crash [NX-51]', async () => {
    const thread = new TestThread();
    const manager = thread.manager({ startedAt: thread.time() });
    await manager.initialize();
    thread.pass();
    thread.say('1');
    let saved: { state: unknown; messages: ModelMessage[] } = { state: null, messages: [] };
    const dying = () => {
      throw new Error('killed');
    };
    const { agent } = createAgent([() => toolReply('a'), dying], () => {
      thread.pass();
      thread.say('2');
    });
    const delivered: number[] = [];
    const first = withComments(agent, manager, {
      onDelivered: ({ delivers }) => void delivered.push(delivers.length),
    });
    const go: ModelMessage = { role: 'user', content: 'go' };
    const steps: StepResult<ToolSet>[] = [];
    const onStepEnd = async (step: unknown) => {
      steps.push(step as StepResult<ToolSet>);
      saved = { state: manager.toState(), messages: [go, ...(await toConversation({ steps }))] };
    };
    await expect(first.generate({ messages: [go], onStepEnd })).rejects.toThrow('killed');
    expect(delivered).toEqual([1]);

    thread.pass();
    const second = thread.manager({ startedAt: thread.time() });
    second.restore(saved.state, []);
    const successor = createAgent([]);
    await withComments(successor.agent, second).generate({ messages: saved.messages });
    const [prompt = []] = successor.prompts();
    expect(prompt.map((line) => line.match(/text \d/)?.[0] ?? line.split(':')[0])).toEqual([
      'user',
      'text 1',
      'assistant',
      'tool',
      'text 2',
    ]);
  });

  it('hands the next turn a conversation that holds the comments that were heard [NX-51]', async () => {
    for (const way of ['generate', 'stream'] as const) {
      const thread = new TestThread();
      const said = () => {
        thread.say('1');
        return textReply('done');
      };
      const { agent, prompts } = createAgent([said, () => textReply('in euros')]);
      const hearing = withComments(agent, thread.manager());
      const call = { messages: [{ role: 'user' as const, content: 'go' }] };
      const result = way === 'generate' ? await hearing.generate(call) : await hearing.stream(call);
      const next = [
        ...call.messages,
        ...(await toConversation(result)),
        { role: 'user' as const, content: 'and now?' },
      ];
      await agent.generate({ messages: next });
      expect(prompts().at(-1)).toEqual([
        'user: go',
        'assistant: done',
        hello,
        'assistant: in euros',
        'user: and now?',
      ]);
    }
  });

  it('ends the call with what its onDelivered throws [NX-51]', async () => {
    const thread = new TestThread();
    const manager = thread.manager();
    await manager.initialize();
    thread.pass();
    thread.say('1');
    const onDelivered = async () => {
      throw new Error('disk full');
    };
    const { agent } = createAgent([]);
    await expect(withComments(agent, manager, { onDelivered }).generate({ prompt: 'go' })).rejects.toThrow(
      'disk full',
    );
  });
});

describe('withComments over HTTP', () => {
  let server: FaultyModel | undefined;
  afterEach(() => server?.close());

  it('sends each comment once, in every request after its delivery and in none before [CD-2] [NX-2]', async () => {
    for (const way of ['generate', 'stream'] as const) {
      const thread = new TestThread();
      server = await startFaultyModel((_, request) => {
        thread.pass();
        if (request < 3) thread.say(String(request + 1));
        return request < 2
          ? { kind: 'call', calls: [{ id: `call-${request}`, name: 'work', arguments: '{}' }] }
          : { kind: 'say', text: `answer ${request}` };
      });
      const { baseUrl: baseURL, requests } = server;
      const work = tool({ description: 'Works.', inputSchema: z.object({}), execute: async () => 'worked' });
      const model = createOpenAI({ baseURL, apiKey: 'none' }).chat('m');
      const agent = withComments(new ToolLoopAgent({ model, tools: { work } }), thread.manager());
      const text =
        way === 'generate'
          ? (await agent.generate({ prompt: 'go' })).text
          : await (await agent.stream({ prompt: 'go' })).text;
      expect(text).toBe('answer 3');
      const heard = requests.map(({ written }) => written.match(/text \d/g) ?? []);
      expect(heard).toEqual([[], ['text 1'], ['text 1', 'text 2'], ['text 1', 'text 2', 'text 3']]);
      await server.close();
    }
  });
});
