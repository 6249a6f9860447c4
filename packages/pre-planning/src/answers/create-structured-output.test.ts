import type { FaultyModelRequest, ModelReaction } from '@agent/simulators/model';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Climb, good, question, refuse, say, startLadder } from '../../test/output-setup.ts';
import { understandingAnswer } from '../../test/sample-request.ts';
import { PrePlanningError } from '../pre-planning-error.ts';
import { createStructuredOutput } from './create-structured-output.ts';

describe('createStructuredOutput', () => {
  let climbed: Climb | null = null;
  afterEach(async () => {
    await climbed?.server.close();
    climbed = null;
  });

  async function climb(
    script: (request: FaultyModelRequest, index: number) => ModelReaction,
    hasChat = true,
  ) {
    await climbed?.server.close();
    climbed = await startLadder(script, hasChat);
    return climbed;
  }

  it('asks by schema first, and keeps to it where it works', async () => {
    const { output, calls, modes } = await climb(() => say(good));
    expect(await output.ask(question)).toMatchObject({
      status: 'answered',
      mode: 'format',
      way: 'direct',
      calls: 1,
    });
    const own: object[] = [];
    await output.ask({ ...question, onCall: (call) => void own.push(call) });
    expect(modes()).toEqual(['format', 'format']);
    expect(output.capabilities()).toEqual({ format: 'works' });
    expect(calls[0]).toMatchObject({ mode: 'format', inputTokens: 30, outputTokens: 20 });
    expect(calls[0]?.reported?.usage).toMatchObject({ inputTokens: 30, outputTokens: 20 });
    expect(own).toEqual([calls[1]]);
  });

  it('goes down one mode with each answer that cannot be read, four calls in all [E3]', async () => {
    const { output, modes } = await climb(() => say('I would mend it.', 'no-call'));
    expect(await output.ask(question)).toMatchObject({ status: 'unreadable', calls: 4 });
    expect(modes()).toEqual(['format', 'chat-format', 'tool', 'text']);
  });

  it('goes down to the next mode after an answer with nothing in it', async () => {
    for (const fault of [undefined, 'no-call'] as const) {
      const { output, modes } = await climb((request) =>
        request.mode === 'text' ? say(good) : request.mode === 'tool' ? say('', fault) : say('Prose.', fault),
      );
      expect(await output.ask(question)).toMatchObject({ status: 'answered', mode: 'text' });
      expect(modes()).toEqual(['format', 'chat-format', 'tool', 'text']);
    }
  });

  it('is unreadable, and not unavailable, if the model only ever answers nothing', async () => {
    for (const hasChat of [true, false]) {
      const { output } = await climb(() => say('', 'no-call'), hasChat);
      expect(await output.ask(question)).toMatchObject({ status: 'unreadable', calls: 4 });
    }
  });

  it('keeps to the last mode where there is none further down', async () => {
    const { output, modes } = await climb(() => say('I would mend it.', 'no-call'), false);
    expect(await output.ask(question)).toMatchObject({ status: 'unreadable', calls: 4 });
    expect(modes()).toEqual(['format', 'tool', 'text', 'text']);
  });

  it.each([
    ['has no annotations', 'no-annotations', 'format'],
    ['begins with an item of reasoning', 'reasoning-first', 'format'],
    ['stands where thoughts belong', 'reasoning-content', 'chat-format'],
    ['stands there, beside prose', 'prose-beside', 'chat-format'],
    ['stands in an item of reasoning', 'thoughts-only', 'format'],
    ['is an object in a call', 'object-arguments', 'tool'],
  ] as const)('reads an answer that %s', async (_, fault, mode) => {
    const { output } = await climb((request) => (request.mode === mode ? say(good, fault) : refuse(404)));
    expect(await output.ask(question)).toMatchObject({
      status: 'answered',
      mode,
      answer: understandingAnswer,
    });
  });

  it('reads arguments of a call that are an object, of the Responses endpoint too', async () => {
    const { output } = await climb(
      ({ mode }) => (mode === 'tool' ? say(good, 'object-arguments') : refuse(404)),
      false,
    );
    expect(await output.ask(question)).toMatchObject({ mode: 'tool', answer: understandingAnswer });
  });

  it('reads an answer that the SDK takes for thoughts', async () => {
    const usage = {
      inputTokens: { total: 9, noCache: 9, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 3, text: 0, reasoning: 3 },
    };
    const model = new MockLanguageModelV4({
      doGenerate: async () => ({
        content: [{ type: 'reasoning', text: good }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage,
        warnings: [],
      }),
    });
    expect(await createStructuredOutput({ model }).ask(question)).toMatchObject({
      status: 'answered',
      calls: 1,
      answer: understandingAnswer,
    });
  });

  it('keeps what came of a question that grew too long for the endpoint', async () => {
    const { output, modes } = await climb((_, index) => (index === 0 ? say('{"aim": "a"}') : refuse(400)));
    expect(await output.ask(question)).toEqual({
      status: 'unreadable',
      problem: expect.stringContaining('request_understanding'),
      calls: 1,
    });
    expect(modes()).toEqual(['format', 'chat-format', 'tool', 'text']);
    expect(output.capabilities()).toEqual({});
  });

  it('reads an answer that breaks off, as far as it goes', async () => {
    const { output } = await climb(() => say(good.slice(0, good.indexOf('"scope"') + 20), 'cut-off'));
    const reply = await output.ask(question);
    expect(reply).toMatchObject({ status: 'answered', way: 'repaired', calls: 1 });
    expect(reply.status === 'answered' && reply.answer.request_understanding.primary_goal).toBe(
      understandingAnswer.request_understanding.primary_goal,
    );
  });

  it('reads the arguments of a tool, broken ones too', async () => {
    const { output } = await climb(
      ({ mode }) => (mode === 'tool' ? say(good.slice(0, -2)) : refuse(400)),
      false,
    );
    expect(await output.ask(question)).toMatchObject({ status: 'answered', mode: 'tool', way: 'repaired' });
  });

  it('goes on further down when an endpoint answers nonsense, and gives up when all of them do', async () => {
    const { output } = await climb(({ mode }) =>
      mode === 'format' ? { kind: 'raw', body: '{"nope":1}' } : say(good),
    );
    expect(await output.ask(question)).toMatchObject({ status: 'answered', mode: 'chat-format' });
    const lost = await climb(() => ({ kind: 'raw', body: '{"nope":1}' }));
    await expect(lost.output.ask(question)).rejects.toMatchObject({ code: 'model-unavailable' });
  });

  it('says that the model could not be asked, and not that it said nothing', async () => {
    const { output, server } = await climb(() => refuse(401));
    const failure = await output.ask(question).catch((error: unknown) => error);
    expect(PrePlanningError.isInstance(failure) && failure.code).toBe('model-unavailable');
    expect(server.requests).toHaveLength(1);
  });

  it('names the cause where the model could not be asked, without secrets and not at any length', async () => {
    const { server } = await climb(() => refuse(401));
    const hideKnownSecrets = (text: string) => `no secret ${text.repeat(200)}`;
    const output = createStructuredOutput({ model: server.model, hideKnownSecrets });
    const failure = await output.ask(question).catch((error: unknown) => error);
    const { cause, message } = failure as Error & { cause: Error };
    expect(cause.message).not.toBe('');
    expect(message).toContain(`could not be called (no secret ${cause.message}`);
    expect(message.length).toBeLessThan(450);
  });

  it('does not take a request that nobody takes for a form that is refused', async () => {
    const { output } = await climb(() => refuse(400));
    await expect(output.ask(question)).rejects.toThrow('could not be called');
    expect(output.capabilities()).toEqual({});
  });

  it('ends at once when its signal is aborted', async () => {
    const { output } = await climb(() => say(good));
    const signal = AbortSignal.abort(new Error('shut down'));
    await expect(output.ask({ ...question, signal })).rejects.toThrow('shut down');
  });

  it('shows the model its answer without secrets when it asks again', async () => {
    const { server } = await climb((_, index) => say(index === 0 ? 'the key is hunter2' : good));
    const hideKnownSecrets = (text: string) => text.replaceAll('hunter2', '***');
    const output = createStructuredOutput({ model: server.model, hideKnownSecrets });
    await output.ask({ ...question, schema: z.object({ phase: z.string() }) });
    expect(server.requests[1]?.written).toContain('the key is ***');
    expect(server.requests[1]?.written).not.toContain('hunter2');
  });
});
