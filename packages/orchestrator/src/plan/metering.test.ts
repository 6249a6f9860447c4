import { type AnswerSource, createReadOnlyTools, type Reply } from '@agent/pre-planning';
import { overBudget, type RunEvent, type RunTool } from '@agent/runner';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCostMeter, meterQuestions, meterTools, noCost, toCostStatistics } from './metering.ts';
import { prePlanningCostSchema, toCostJson } from './pre-planning-files.ts';

const logger = pino({ level: 'silent' });
const question = { name: 'q', instructions: '', write: () => '', format: {}, schema: z.unknown() };

describe('what getting a run ready costs', () => {
  it('is counted over every process that did, as a run counts what it spends [RL-14]', () => {
    let time = 1_000;
    const now = () => time;
    const first = createCostMeter(noCost, { now });
    first.countAnswer({ inputTokens: 10, outputTokens: 2 });
    first.countTool('read_file');
    time += 500;
    const kept = prePlanningCostSchema.parse(JSON.parse(JSON.stringify(toCostJson(first.read()))));
    time += 60_000;
    const second = createCostMeter(kept, { now });
    second.countAnswer({ inputTokens: 5, outputTokens: 1 });
    second.countTool('read_file');
    second.countTool('list_files');
    time += 250;
    expect(toCostStatistics(second.read())).toEqual({
      modelCalls: 2,
      toolCalls: 3,
      inputTokens: 15,
      outputTokens: 3,
      durationMs: 750,
    });
  });

  it('is kept answer by answer, before anything is made of one', async () => {
    const meter = createCostMeter(noCost, { now: () => 0 });
    const events: RunEvent[] = [];
    const kept: number[] = [];
    const source: AnswerSource = {
      ask: async ({ onCall }) => {
        onCall?.({ mode: 'format', inputTokens: 30, outputTokens: 20 });
        onCall?.({ mode: 'tool', inputTokens: 40, outputTokens: 10 });
        return { status: 'unreadable', problem: 'prose', calls: 2 } satisfies Reply<never>;
      },
    };
    const keep = async () => {
      const { modelCalls } = meter.read();
      await Promise.resolve();
      kept.push(modelCalls);
    };
    const onEvent = (event: RunEvent) => void events.push(event);
    const isUsedUp = () => false;
    await meterQuestions(source, { meter, isUsedUp, onEvent, logger, keep }).ask(question);
    expect(kept).toEqual([1, 2]);
    expect(events.map(({ type }) => type)).toEqual(['step-start', 'model-answer', 'model-answer']);
    expect(meter.read()).toMatchObject({ modelCalls: 2, inputTokens: 70, outputTokens: 30 });
  });

  it('leaves a question without an answer where the money of the run is used up [NX-196]', async () => {
    const meter = createCostMeter(noCost, { now: () => 0 });
    const cause = overBudget('1 USD for this run');
    const source: AnswerSource = {
      ask: () => Promise.reject(new Error('The model could not be asked.', { cause })),
    };
    const options = { meter, onEvent: () => undefined, logger, keep: async () => undefined };
    const reply = await meterQuestions(source, { ...options, isUsedUp: () => false }).ask(question);
    expect(reply).toMatchObject({ status: 'unreadable', calls: 0 });
  });

  it('is an end of further tries, and of questions, once nothing more may be spent; an answer that is had counts [RL-14]', async () => {
    const meter = createCostMeter(noCost, { now: () => 0 });
    let isReadable = true;
    const source: AnswerSource = {
      ask: async ({ onCall, schema, signal }) => {
        for (;;) {
          signal?.throwIfAborted();
          onCall?.({ mode: 'text', inputTokens: 1, outputTokens: 1 });
          if (isReadable)
            return { status: 'answered', answer: schema.parse({}), mode: 'text', way: 'direct', calls: 1 };
        }
      },
    };
    let most = 1;
    const isUsedUp = () => meter.read().modelCalls >= most;
    const options = { meter, isUsedUp, onEvent: () => undefined, logger, keep: async () => undefined };
    const metered = meterQuestions(source, options);
    expect(await metered.ask(question)).toMatchObject({ status: 'answered' });
    expect(await metered.ask(question)).toMatchObject({ status: 'unreadable', calls: 0 });
    isReadable = false;
    most = 3;
    expect(await metered.ask(question)).toMatchObject({ status: 'unreadable', calls: 2 });
    const signal = AbortSignal.abort(new Error('the daemon ends'));
    most = 9;
    await expect(metered.ask({ ...question, signal })).rejects.toThrow('the daemon ends');
    expect(meter.read().modelCalls).toBe(3);
  });

  it('has every call of a tool in it, told with how it ended and without what it gave', async () => {
    const meter = createCostMeter(noCost, { now: () => 0 });
    const events: RunEvent[] = [];
    const tool: RunTool = {
      description: 'Reads.',
      inputSchema: z.object({ path: z.string() }),
      readOnly: true,
      execute: async (input) => {
        if (JSON.stringify(input).includes('gone')) throw new Error('ENOENT');
        return 'a secret';
      },
    };
    const onEvent = (event: RunEvent) => void events.push(event);
    const { read_file: metered } = meterTools({ read_file: tool }, { meter, onEvent, now: () => 0 });
    expect(await metered?.execute({ path: 'a' }, { toolCallId: 'x' })).toBe('a secret');
    await expect(metered?.execute({ path: 'gone' }, { toolCallId: 'x' })).rejects.toThrow('ENOENT');
    expect(meter.read().tools).toEqual({ read_file: 2 });
    const ends = events.filter((event) => event.type === 'tool-end');
    expect(ends.map(({ status, output }) => ({ status, output }))).toEqual([
      { status: 'success', output: '' },
      { status: 'error', output: '' },
    ]);
    expect(new Set(ends.map(({ toolCallId }) => toolCallId)).size).toBe(2);
  });

  it('tells that a tool which hangs has ended when it is left, and once', async () => {
    const events: RunEvent[] = [];
    const onEvent = (event: RunEvent) => void events.push(event);
    const late = Promise.withResolvers<string>();
    const tool: RunTool = {
      description: 'Reads.',
      inputSchema: z.object({}),
      readOnly: true,
      execute: () => late.promise,
    };
    const meter = createCostMeter(noCost, { now: () => 0 });
    const metered = meterTools({ read: tool }, { meter, onEvent, now: () => 0 });
    const tools = createReadOnlyTools(metered, { sleep: async () => undefined });
    const answer = await tools.call({ tool: 'read', parameters: {} });
    expect(answer).toMatchObject({ status: 'failed', reason: expect.stringContaining('timeout') });
    const ends = () => events.filter((event) => event.type === 'tool-end').map(({ status }) => status);
    expect(ends()).toEqual(['error']);
    late.resolve('too late');
    await late.promise;
    expect(ends()).toEqual(['error']);
  });
});
