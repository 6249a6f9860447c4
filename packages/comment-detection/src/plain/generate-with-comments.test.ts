import { generateText, isStepCount, type ModelMessage, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { generateText as generateText6, stepCountIs, tool as tool6 } from 'ai-6';
import { MockLanguageModelV3 } from 'ai-6/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { textReply, toolReply } from '../../test/model-reply.ts';
import { TestThread } from '../../test/thread-setup.ts';
import { createCommentPrepareStep } from '../prepare-step/index.ts';
import { type Checkpoint, generateWithComments, resumeFrom } from './index.ts';

type Reply = () => ReturnType<typeof textReply>;

/** A call of one version of the SDK, whose tool and model may write on the thread. */
function play(version: 6 | 7, replies: readonly Reply[], onWork: () => void = () => {}) {
  let next = 0;
  const doGenerate = async () => (replies[next++] ?? (() => textReply('done')))();
  const work = async () => {
    onWork();
    return 'worked';
  };
  const parameters = { inputSchema: z.object({}), execute: work };
  const model7 = new MockLanguageModelV4({ doGenerate });
  const model6 = new MockLanguageModelV3({ doGenerate: doGenerate as never });
  const prompts = () =>
    [...model7.doGenerateCalls, ...model6.doGenerateCalls].map(({ prompt }) =>
      prompt.map(({ role, content }) => {
        const [part] = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
        return `${role}: ${part?.type === 'text' ? part.text : part?.type}`;
      }),
    );
  const call7 = { model: model7, tools: { work: tool(parameters) }, stopWhen: isStepCount(9), maxRetries: 0 };
  const call6 = {
    model: model6,
    tools: { work: tool6(parameters) },
    stopWhen: stepCountIs(9),
    maxRetries: 0,
  };
  return {
    prompts,
    hear: (
      manager: ReturnType<TestThread['manager']>,
      onCheckpoint?: (checkpoint: Checkpoint) => void,
      messages: ModelMessage[] = [{ role: 'user', content: 'go' }],
    ) =>
      version === 7
        ? generateWithComments(generateText, { manager, onCheckpoint, call: { ...call7, messages } })
        : generateWithComments(generateText6 as unknown as typeof generateText, {
            manager,
            onCheckpoint,
            call: { ...call6, messages } as never,
          }),
    prepare: (prepareStep: ReturnType<typeof createCommentPrepareStep>) =>
      version === 7
        ? generateText({ ...call7, prompt: 'go', prepareStep })
        : generateText6({ ...call6, prompt: 'go', prepareStep: prepareStep as never }),
  };
}

const hello = 'user: [New Comment from @alice]:\ntext 1';

describe.each([6, 7] as const)('with ai %i', (version) => {
  it('hears during tool calls and after the final answer, and gives the conversation with it [NX-270]', async () => {
    const thread = new TestThread();
    const manager = thread.manager();
    const work = () => {
      thread.pass();
      if (thread.comments.length === 0) thread.say('1');
    };
    const last = () => {
      thread.pass();
      thread.say('2');
      return textReply('done');
    };
    const { hear, prompts } = play(
      version,
      [() => toolReply('a'), () => toolReply('b'), last, () => textReply('heard')],
      work,
    );
    const { result, messages } = await hear(manager);
    const step = ['assistant: tool-call', 'tool: tool-result'];
    expect(prompts()).toEqual([
      ['user: go'],
      ['user: go', ...step, hello],
      ['user: go', ...step, hello, ...step],
      ['user: go', ...step, hello, ...step, 'assistant: done', 'user: [New Comment from @alice]:\ntext 2'],
    ]);
    expect(result.text).toBe('heard');
    expect(messages.map(({ role }) => role)).toEqual(
      [...'uatuatau'].map((letter) => ({ u: 'user', a: 'assistant', t: 'tool' })[letter]).concat('assistant'),
    );
    expect(manager.listUndelivered()).toEqual([]);
  });

  it('tells again what a call heard that failed [NX-270]', async () => {
    const thread = new TestThread();
    const manager = thread.manager();
    await manager.initialize();
    thread.pass();
    thread.say('1');
    const failing = () => {
      throw new Error('the model is down');
    };
    const { hear, prompts } = play(version, [() => toolReply('a'), failing, () => textReply('done')]);
    await expect(hear(manager)).rejects.toThrow('the model is down');
    expect(manager.listUndelivered()).toHaveLength(1);
    await hear(manager);
    expect(prompts().at(-1)).toEqual(['user: go', hello]);
    expect(manager.listUndelivered()).toEqual([]);
  });

  it('gives checkpoints before and after, from either of which each comment is told once [NX-295]', async () => {
    const thread = new TestThread();
    thread.say('history');
    thread.pass();
    const say = () => {
      thread.pass();
      if (thread.comments.length === 1) thread.say('1');
    };
    const kept: string[] = [];
    const onCheckpoint = (checkpoint: Checkpoint) => void kept.push(JSON.stringify(checkpoint));
    await play(version, [() => toolReply('a')], say).hear(thread.manager(), onCheckpoint);
    expect(kept).toHaveLength(2);
    for (const one of kept) {
      thread.pass(120_000);
      const manager = thread.manager();
      const messages = resumeFrom(JSON.parse(one), manager);
      const { hear, prompts } = play(version, []);
      await hear(manager, undefined, messages);
      expect(prompts()[0]?.filter((line) => line.includes('text'))).toEqual([hello]);
    }
  });

  it('hears by a bare prepareStep what came after the state that was kept before the call [NX-295]', async () => {
    const thread = new TestThread();
    thread.say('history');
    thread.pass();
    const manager = thread.manager();
    await manager.initialize();
    const state = JSON.parse(JSON.stringify(manager.toState()));
    const dying = () => {
      thread.pass();
      thread.say('1');
      throw new Error('killed');
    };
    await expect(play(version, [dying]).prepare(createCommentPrepareStep(manager))).rejects.toThrow('killed');
    const successor = thread.manager();
    successor.restore(state, []);
    const { prepare, prompts } = play(version, []);
    await prepare(createCommentPrepareStep(successor));
    expect(prompts()[0]).toEqual(['user: go', hello]);
  });

  it('keeps a comment in all later requests of a bare prepareStep, too [NX-270]', async () => {
    const thread = new TestThread();
    const manager = thread.manager();
    await manager.initialize();
    thread.pass();
    thread.say('1');
    const { prepare, prompts } = play(version, [() => toolReply('a'), () => textReply('done')]);
    const prepareStep = createCommentPrepareStep(manager);
    await prepare(prepareStep);
    const step = ['assistant: tool-call', 'tool: tool-result'];
    expect(prompts()).toEqual([
      ['user: go', hello],
      ['user: go', hello, ...step],
    ]);
    await prepare(prepareStep);
    expect(prompts().at(-1)).toEqual(['user: go']);
  });
});
