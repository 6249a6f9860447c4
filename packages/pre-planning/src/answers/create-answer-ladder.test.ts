import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Fault, Reaction, SeenRequest } from '../../test/model-request.ts';
import { type ModelServer, startModelServer } from '../../test/model-server.ts';
import { understandingAnswer } from '../../test/sample-request.ts';
import { PrePlanningError } from '../pre-planning-error.ts';
import { understandingSchema } from '../understanding/understanding.ts';
import { understandingFormat } from '../understanding/understanding-format.ts';
import { createAnswerLadder } from './create-answer-ladder.ts';

const good = JSON.stringify(understandingAnswer);
const question = {
  name: 'request_understanding',
  instructions: 'Understand.',
  text: 'What is asked?',
  format: understandingFormat,
  schema: understandingSchema,
};
const say = (text: string, fault?: Fault): Reaction => ({
  kind: 'say',
  text,
  ...(fault === undefined ? {} : { fault }),
});
const refuse = (status: number): Reaction => ({ kind: 'refuse', status });

describe('createAnswerLadder', () => {
  let server: ModelServer;
  afterEach(() => server.close());

  async function climb(script: (request: SeenRequest, index: number) => Reaction, hasChat = true) {
    server = await startModelServer(script);
    const chatModel = hasChat ? server.chatModel : null;
    const calls: object[] = [];
    const onCall = (call: object) => void calls.push(call);
    const ladder = createAnswerLadder({ model: server.model, chatModel, maxRetries: 0, onCall });
    return { ladder, calls, rungs: () => server.requests.map(({ rung }) => rung) };
  }

  it('asks by schema first, and keeps to it where it works', async () => {
    const { ladder, calls, rungs } = await climb(() => say(good));
    expect(await ladder.ask(question)).toMatchObject({
      status: 'answered',
      rung: 'format',
      way: 'direct',
      calls: 1,
    });
    const own: object[] = [];
    await ladder.ask({ ...question, onCall: (call) => void own.push(call) });
    expect(rungs()).toEqual(['format', 'format']);
    expect(ladder.knowledge()).toEqual({ format: 'works' });
    expect(calls[0]).toEqual({ rung: 'format', inputTokens: 30, outputTokens: 20 });
    expect(own).toEqual([calls[1]]);
  });

  it('finds out once what the endpoint refuses, and remembers it', async () => {
    const { ladder, rungs } = await climb(({ path, rung }) =>
      path === '/v1/responses' ? refuse(404) : rung === 'chat-format' ? refuse(400) : say(good),
    );
    expect(await ladder.ask(question)).toMatchObject({ status: 'answered', rung: 'tool', calls: 1 });
    await ladder.ask(question);
    expect(rungs()).toEqual(['format', 'chat-format', 'tool', 'tool']);
    expect(ladder.knowledge()).toEqual({ format: 'refuses', 'chat-format': 'refuses', tool: 'works' });
    const known = ladder.knowledge();
    const next = createAnswerLadder({ model: server.model, chatModel: server.chatModel, known });
    await next.ask(question);
    expect(rungs().at(-1)).toBe('tool');
  });

  it('takes an answer that ignored the schema and can be read, and asks further down the next time', async () => {
    const { ladder, rungs } = await climb(({ rung }) =>
      rung === 'format' ? say(`<think>{}</think>Here it is:\n\`\`\`json\n${good}\n\`\`\``) : say(good),
    );
    expect(await ladder.ask(question)).toMatchObject({ rung: 'format', way: 'extracted', calls: 1 });
    expect(await ladder.ask(question)).toMatchObject({ rung: 'chat-format', way: 'direct', calls: 1 });
    expect(rungs()).toEqual(['format', 'chat-format']);
  });

  it('goes down a rung with each answer that cannot be read, four calls in all [E3]', async () => {
    const { ladder, rungs } = await climb(() => say('I would mend it.', 'no-call'));
    expect(await ladder.ask(question)).toMatchObject({ status: 'unreadable', calls: 4 });
    expect(rungs()).toEqual(['format', 'chat-format', 'tool', 'text']);
    await ladder.ask(question);
    expect(rungs().slice(4)).toEqual(['text', 'text', 'text', 'text']);
  });

  it.each([
    ['has no annotations', 'no-annotations', 'format'],
    ['begins with an item of reasoning', 'reasoning-first', 'format'],
    ['stands where thoughts belong', 'reasoning-content', 'chat-format'],
  ] as const)('reads an answer that %s', async (_, fault, rung) => {
    const { ladder } = await climb((request) => (request.rung === rung ? say(good, fault) : refuse(404)));
    expect(await ladder.ask(question)).toMatchObject({
      status: 'answered',
      rung,
      answer: understandingAnswer,
    });
  });

  it('reads an answer that breaks off, as far as it goes', async () => {
    const { ladder } = await climb(() => say(good.slice(0, good.indexOf('"scope"') + 20), 'cut-off'));
    const reply = await ladder.ask(question);
    expect(reply).toMatchObject({ status: 'answered', way: 'repaired', calls: 1 });
    expect(reply.status === 'answered' && reply.answer.request_understanding.primary_goal).toBe(
      understandingAnswer.request_understanding.primary_goal,
    );
  });

  it('reads the arguments of a tool, broken ones too', async () => {
    const { ladder } = await climb(
      ({ rung }) => (rung === 'tool' ? say(good.slice(0, -2)) : refuse(400)),
      false,
    );
    expect(await ladder.ask(question)).toMatchObject({ status: 'answered', rung: 'tool', way: 'repaired' });
  });

  it('goes on further down when an endpoint answers nonsense, and gives up when all of them do', async () => {
    const { ladder } = await climb(({ rung }) => (rung === 'format' ? { kind: 'nonsense' } : say(good)));
    expect(await ladder.ask(question)).toMatchObject({ status: 'answered', rung: 'chat-format' });
    await server.close();
    const lost = await climb(() => ({ kind: 'nonsense' }));
    await expect(lost.ladder.ask(question)).rejects.toMatchObject({ code: 'model-unavailable' });
  });

  it('says that the model could not be asked, and not that it said nothing', async () => {
    const { ladder } = await climb(() => refuse(401));
    const failure = await ladder.ask(question).catch((error: unknown) => error);
    expect(PrePlanningError.isInstance(failure) && failure.code).toBe('model-unavailable');
    expect(server.requests).toHaveLength(1);
  });

  it('does not take a request that nobody takes for a form that is refused', async () => {
    const { ladder } = await climb(() => refuse(400));
    await expect(ladder.ask(question)).rejects.toThrow('could not be asked');
    expect(ladder.knowledge()).toEqual({});
  });

  it('ends at once when it is told to', async () => {
    const { ladder } = await climb(() => say(good));
    const signal = AbortSignal.abort(new Error('shut down'));
    await expect(ladder.ask({ ...question, signal })).rejects.toThrow('shut down');
  });

  it('shows the model its answer without secrets when it asks again', async () => {
    server = await startModelServer((_, index) => say(index === 0 ? 'the key is hunter2' : good));
    const redact = (text: string) => text.replaceAll('hunter2', '***');
    const ladder = createAnswerLadder({ model: server.model, redact });
    await ladder.ask({ ...question, schema: z.object({ phase: z.string() }) });
    expect(server.requests[1]?.written).toContain('the key is ***');
    expect(server.requests[1]?.written).not.toContain('hunter2');
  });
});
