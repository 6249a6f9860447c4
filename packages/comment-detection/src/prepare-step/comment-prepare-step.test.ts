import { generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { textReply } from '../../test/model-reply.ts';
import { TestThread } from '../../test/thread-setup.ts';
import { createCommentPrepareStep } from './comment-prepare-step.ts';

describe('createCommentPrepareStep', () => {
  it('appends what was said to the messages of the step [CD-2]', async () => {
    const thread = new TestThread();
    const manager = thread.manager();
    await manager.initialize();
    thread.pass();
    thread.say('1');
    const model = new MockLanguageModelV4({ doGenerate: async () => textReply('done') });
    await generateText({ model, prompt: 'go', prepareStep: createCommentPrepareStep(manager) });
    expect(model.doGenerateCalls[0]?.prompt.at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'text', text: '[New Comment from @alice]:\ntext 1' }],
    });
    expect(manager.listUndelivered()).toEqual([]);
  });

  it('adds nothing between a tool call and its result, and nothing where nothing is new [B16]', async () => {
    const thread = new TestThread();
    const manager = thread.manager();
    const prepareStep = createCommentPrepareStep(manager);
    expect(await prepareStep({ messages: [{ role: 'user', content: 'go' }] })).toBeUndefined();
    thread.pass();
    thread.say('1');
    const call = { type: 'tool-call' as const, toolCallId: 'a', toolName: 'work', input: {} };
    expect(await prepareStep({ messages: [{ role: 'assistant', content: [call] }] })).toBeUndefined();
    expect(await prepareStep({ messages: [{ role: 'user', content: 'go' }] })).toMatchObject({
      messages: [{}, {}],
    });
  });

  it('hears between steps, after a tool call and its result [CD-2, B16]', async () => {
    const thread = new TestThread();
    const prepareStep = createCommentPrepareStep(thread.manager());
    await prepareStep({ messages: [{ role: 'user', content: 'go' }] });
    thread.pass();
    thread.say('1');
    const of = { toolCallId: 'a', toolName: 'work' };
    const output = { type: 'text' as const, value: 'worked' };
    const messages = [
      { role: 'assistant' as const, content: [{ type: 'tool-call' as const, ...of, input: {} }] },
      { role: 'tool' as const, content: [{ type: 'tool-result' as const, ...of, output }] },
    ];
    expect(await prepareStep({ messages })).toMatchObject({
      messages: [{}, {}, { role: 'user', content: '[New Comment from @alice]:\ntext 1' }],
    });
  });

  it('fails where its first look is refused for good [NX-50]', async () => {
    const thread = new TestThread();
    thread.answers.push(Object.assign(new Error('no'), { status: 401 }));
    const prepareStep = createCommentPrepareStep(thread.manager());
    await expect(prepareStep({ messages: [] })).rejects.toMatchObject({
      code: 'look-failed',
      isPermanent: true,
    });
  });
});
