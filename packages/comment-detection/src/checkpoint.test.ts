import { generateText, isStepCount, type ModelMessage, streamText, tool } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { textReply, toolReply, toStreamed } from '../test/model-reply.ts';
import { TestThread } from '../test/thread-setup.ts';
import { type Checkpoint, resumeFrom, toConversation, withComments } from './ai-sdk/index.ts';

type Reply = () => ReturnType<typeof textReply>;

function createCall(replies: readonly Reply[], onWork: () => void = () => {}) {
  let next = 0;
  const answer = () => (replies[next++] ?? (() => textReply('done')))();
  const model = new MockLanguageModelV4({
    doGenerate: async () => answer(),
    doStream: async () => toStreamed(answer()),
  });
  const execute = async () => {
    onWork();
    return 'worked';
  };
  const tools = { work: tool({ inputSchema: z.object({}), execute }) };
  const prompts = () =>
    [...model.doGenerateCalls, ...model.doStreamCalls].map(({ prompt }) => JSON.stringify(prompt));
  return { call: { model, tools, stopWhen: isStepCount(9), maxRetries: 0 }, prompts };
}

describe('withComments of generateText and streamText', () => {
  it('hears during tool calls and after the final answer [NX-270]', async () => {
    const thread = new TestThread();
    const last = () => {
      thread.pass();
      thread.say('2');
      return textReply('done');
    };
    const { call, prompts } = createCall([() => toolReply('a'), last, () => textReply('heard')], () => {
      thread.pass();
      thread.say('1');
    });
    const result = await withComments(generateText, thread.manager())({ ...call, prompt: 'go' });
    expect(result.text).toBe('heard');
    expect(result.steps[0]?.toolResults[0]?.output).toBe('worked');
    expect(prompts()[1]).toContain('text 1');
    expect(prompts()[2]).toContain('text 2');
  });

  it('hears in a stream [NX-270]', async () => {
    const thread = new TestThread();
    const last = () => {
      thread.pass();
      thread.say('1');
      return textReply('done');
    };
    const { call, prompts } = createCall([last, () => textReply('heard')]);
    const stream = await withComments(streamText, thread.manager())({ ...call, prompt: 'go' });
    let text = '';
    for await (const part of stream.textStream) text += part;
    expect(text).toBe('doneheard');
    expect(prompts()[1]).toContain('text 1');
  });
});

describe('onCheckpoint', () => {
  it('gives messages and state that agree, whichever of them a crash leaves [NX-270]', async () => {
    const steps = 6;
    const kept: { readonly checkpoint: Checkpoint; readonly said: number }[] = [];
    const thread = new TestThread();
    const say = () => {
      thread.pass();
      thread.say(String(thread.comments.length + 1));
    };
    const replies = Array.from({ length: steps }, (_, index) => () => {
      if (index % 2 === 1) say();
      return toolReply(`call-${index}`);
    });
    const { call } = createCall(replies, say);
    const onCheckpoint = async (checkpoint: Checkpoint) =>
      void kept.push({ checkpoint: JSON.parse(JSON.stringify(checkpoint)), said: thread.comments.length });
    await withComments(generateText, thread.manager(), { onCheckpoint })({ ...call, prompt: 'go' });
    expect(kept.length).toBeGreaterThan(steps);
    for (const { checkpoint } of kept) {
      const manager = thread.manager();
      const messages: ModelMessage[] = resumeFrom(checkpoint, manager);
      thread.pass(120_000);
      const { call: rest, prompts } = createCall([]);
      await withComments(generateText, manager)({ ...rest, messages });
      const told =
        prompts()
          .at(-1)
          ?.match(/text \d+/g) ?? [];
      expect(told.toSorted()).toEqual(thread.comments.map(({ body }) => body).toSorted());
    }
  });

  it('is told before the first request, so that what came before the first step ended is heard after a crash [NX-295]', async () => {
    for (const answers of [[], [Object.assign(new Error('down'), { code: 'unavailable' })]]) {
      const thread = new TestThread();
      thread.say('history');
      thread.answers.push(...answers);
      thread.pass();
      const kept: string[] = [];
      const onCheckpoint = (checkpoint: Checkpoint) => void kept.push(JSON.stringify(checkpoint));
      const dying = () => {
        expect(kept).toHaveLength(1);
        thread.pass();
        thread.say('1');
        throw new Error('killed');
      };
      const hearing = withComments(generateText, thread.manager(), { onCheckpoint });
      await expect(hearing({ ...createCall([dying]).call, prompt: 'go' })).rejects.toThrow('killed');
      thread.pass(120_000);
      const manager = thread.manager();
      const messages = resumeFrom(JSON.parse(kept[0] ?? ''), manager);
      expect(messages).toEqual([{ role: 'user', content: 'go' }]);
      const { call, prompts } = createCall([]);
      await withComments(generateText, manager)({ ...call, messages });
      expect(prompts()[0]?.match(/text \w+/g)).toEqual(['text 1']);
    }
  });

  it('holds the results of tools that people approved, so that it can be resumed [NX-297]', async () => {
    for (const approved of [true, false]) {
      const thread = new TestThread();
      const { call, prompts } = createCall([
        () => toolReply('a'),
        () => textReply('done'),
        () => textReply('more'),
      ]);
      const kept: Checkpoint[] = [];
      const onCheckpoint = (checkpoint: Checkpoint) => void kept.push(checkpoint);
      const hearing = withComments(generateText, thread.manager(), { onCheckpoint });
      const asking = { ...call, toolApproval: () => 'user-approval' as const };
      const { content } = await hearing({ ...asking, prompt: 'go' });
      const request = content.find(({ type }) => type === 'tool-approval-request');
      const approvalId = request?.type === 'tool-approval-request' ? request.approvalId : '';
      thread.pass();
      thread.say('1');
      const answer = { type: 'tool-approval-response' as const, approvalId, approved };
      const messages = [...(kept.at(-1)?.messages ?? []), { role: 'tool' as const, content: [answer] }];
      await hearing({ ...asking, messages });
      expect(kept.at(-1)?.messages.map(({ role }) => role)).toEqual([
        ...['user', 'assistant', 'tool', 'tool', 'user', 'assistant'],
      ]);
      const manager = thread.manager();
      await withComments(
        generateText,
        manager,
      )({
        ...call,
        messages: resumeFrom(JSON.parse(JSON.stringify(kept.at(-1))), manager),
      });
      expect(
        prompts()
          .at(-1)
          ?.match(/text \d/g),
      ).toEqual(['text 1']);
    }
  });

  it('holds nothing of a step that failed in the middle of its stream, whose comments are heard again [NX-297]', async () => {
    const thread = new TestThread();
    const manager = thread.manager();
    const { call } = createCall([() => toolReply('a')], () => {
      thread.pass();
      thread.say('1');
    });
    const failing = new MockLanguageModelV4({
      doStream: async (options) =>
        failing.doStreamCalls.length === 1
          ? call.model.doStream(options)
          : { stream: convertArrayToReadableStream([{ type: 'error', error: new Error('cut') }]) },
    });
    const kept: Checkpoint[] = [];
    const delivered: unknown[] = [];
    const hearing = withComments(streamText, manager, {
      onCheckpoint: (checkpoint) => void kept.push(checkpoint),
      onDelivered: (receipt) => void delivered.push(receipt),
    });
    const stream = await hearing({ ...call, model: failing, prompt: 'go', onError: () => {} });
    await stream.consumeStream();
    expect(JSON.stringify(failing.doStreamCalls.at(-1)?.prompt)).toContain('text 1');
    expect([delivered, manager.listUndelivered()]).toMatchObject([[], [{ kind: 'added' }]]);
    expect(kept.at(-1)?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect((await toConversation(stream)).map(({ role }) => role)).toEqual(['assistant', 'tool']);
    thread.pass();
    const { call: rest, prompts } = createCall([]);
    await withComments(generateText, manager)({ ...rest, messages: [...(kept.at(-1)?.messages ?? [])] });
    expect(prompts()[0]).toContain('text 1');
  });

  it('fails the call where it cannot be kept, and resumes from nothing else [NX-270]', async () => {
    const thread = new TestThread();
    const onCheckpoint = () => Promise.reject(new Error('the disk is full'));
    const { call } = createCall([() => toolReply('a')]);
    const hearing = withComments(generateText, thread.manager(), { onCheckpoint });
    await expect(hearing({ ...call, prompt: 'go' })).rejects.toThrow('the disk is full');
    expect(() => resumeFrom({} as Checkpoint, thread.manager())).toThrow('has no version');
  });
});
