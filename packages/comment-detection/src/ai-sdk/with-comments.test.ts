import { createOpenAI } from '@ai-sdk/openai';
import { isStepCount, ToolLoopAgent, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { textReply, toolReply } from '../../test/model-reply.ts';
import { type ModelServer, startModelServer } from '../../test/model-server.ts';
import { TestThread } from '../../test/thread-setup.ts';
import { withComments } from './with-comments.ts';

type Replies = readonly (() => ReturnType<typeof textReply>)[];

/** An agent whose model gives one reply after the other; replies and tools may write on the thread. */
function createAgent(replies: Replies, onWork: () => void = () => undefined) {
  let next = 0;
  const model = new MockLanguageModelV4({
    doGenerate: async () => (replies[next++] ?? (() => textReply('done')))(),
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
    model.doGenerateCalls.map(({ prompt }) =>
      prompt.map(({ role, content }) => {
        const [part] = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
        return `${role}: ${part?.type === 'text' ? part.text : part?.type}`;
      }),
    );
  return { agent, prompts };
}

const hello = 'user: [New Comment from @alice]:\ntext 1';

describe('withComments', () => {
  it('hears before the next step what was said during a tool call, after its result [CD-2] [NX-3]', async () => {
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
    const result = await withComments(createAgent(busy).agent, manager).generate({ prompt: 'go' });
    expect(result.text).toBe('answer 5');
    thread.pass();
    expect((await manager.checkForChanges()).added).toMatchObject([{ id: '5' }]);
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
    const agent = withComments(new ToolLoopAgent({ model, stopWhen: isStepCount(1) }), thread.manager());
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
    thread.answers.push(...Array.from({ length: 20 }, () => new Error('down')));
    const result = await withComments(agent, manager, { sleep }).generate({ prompt: 'go' });
    expect(result.text).toBe('done');
    expect(waits).toEqual([1000, 2000, 4000, 8000, 15_000, 30_000]);
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

describe('withComments over HTTP', () => {
  let server: ModelServer | undefined;
  afterEach(() => server?.close());

  it('sends each comment once, in every request after its delivery and in none before [CD-2] [NX-2]', async () => {
    for (const way of ['generate', 'stream'] as const) {
      const thread = new TestThread();
      server = await startModelServer((request) => {
        thread.pass();
        if (request < 3) thread.say(String(request + 1));
        return request < 2 ? { tool: 'work' } : { text: `answer ${request}` };
      });
      const { baseURL, requests } = server;
      const work = tool({ description: 'Works.', inputSchema: z.object({}), execute: async () => 'worked' });
      const model = createOpenAI({ baseURL, apiKey: 'none' }).chat('m');
      const agent = withComments(new ToolLoopAgent({ model, tools: { work } }), thread.manager());
      const text =
        way === 'generate'
          ? (await agent.generate({ prompt: 'go' })).text
          : await (await agent.stream({ prompt: 'go' })).text;
      expect(text).toBe('answer 3');
      const heard = requests.map((messages) =>
        messages.flatMap(({ content }) => content?.match(/text \d/) ?? []),
      );
      expect(heard).toEqual([[], ['text 1'], ['text 1', 'text 2'], ['text 1', 'text 2', 'text 3']]);
      await server.close();
    }
  });
});
