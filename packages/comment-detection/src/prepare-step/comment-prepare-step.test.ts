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

  it('adds nothing between a tool call and its result, and nothing where nothing is new', async () => {
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
});
