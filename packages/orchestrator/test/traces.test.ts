import { SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { createSteppingModel, openTracesBed, showTree } from './traces-bed.ts';

const named = (spans: readonly ReadableSpan[], name: string) => spans.filter((span) => span.name === name);
const listEvents = (spans: readonly ReadableSpan[]) => spans.flatMap(({ events }) => events);

describe('traces of runs', () => {
  it('show a run, its phases, and each call of a model and a tool once [NX-342]', async () => {
    const bed = await openTracesBed();
    const { spans } = await bed.run(createSteppingModel([{ find: 'two' }, { find: 'fail' }, 'It is four.']));
    expect(showTree(spans)).toEqual([
      'execution > chat stepper',
      'execution > execute_tool notes__find',
      'execution > chat stepper',
      'execution > execute_tool notes__find',
      'execution > chat stepper',
      'carry_run > execution',
      'carry_run > delivery',
      // The summary for later runs.
      'delivery > chat stepper',
      'carry_run > delivery',
      'invoke_agent agent > carry_run',
      'invoke_agent agent',
    ]);
    expect(named(spans, 'chat stepper')).toHaveLength(4);
    expect(spans[0]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'stepper',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
    });
    const [found, failed] = named(spans, 'execute_tool notes__find');
    expect(found?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'notes__find',
      'gen_ai.tool.call.id': 'call-0',
      'gen_ai.tool.type': 'function',
    });
    expect(failed).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'error.type': 'tool_error' },
    });
    expect(spans.at(-1)?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'agent.run.outcome': 'answered',
    });
  });

  it('mark a call as failed whose work failed, such as a command with another exit code than 0 [NX-342]', async () => {
    const bed = await openTracesBed();
    const { spans } = await bed.run(createSteppingModel([{ find: 'nothing' }, 'There is none.']));
    const [call] = named(spans, 'execute_tool notes__find');
    expect(call).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'error.type': 'work_failed' },
    });
  });

  it('tell when a comment was received, delivered and answered, with its link and without its words [NX-343]', async () => {
    const bed = await openTracesBed();
    const model = createSteppingModel([{ find: 'two' }, { find: 'three' }, 'It is four.'], (step) => {
      if (step === 0) bed.say('Make it five, please.');
    });
    const { spans } = await bed.run(model);
    const events = listEvents(spans).map(({ name, attributes }) => ({ name, ...attributes }));
    const comment = { 'agent.comment.id': expect.any(String), 'agent.comment.url': expect.any(String) };
    expect(events).toEqual([
      { name: 'comment.received', ...comment },
      { name: 'comment.delivered', ...comment },
      { name: 'comment.answered', ...comment },
    ]);
    expect(new Set(events.map((event) => (event as Record<string, unknown>)['agent.comment.id'])).size).toBe(
      1,
    );
  });

  it('hold no words of the thread, the model or a tool, unless they are asked for [NX-344]', async () => {
    const secrets = ['secret question', 'two', 'Make it five', 'It is four', 'hunter2', 'Finds a note'];
    const play = async (content: boolean) => {
      const bed = await openTracesBed();
      const model = createSteppingModel([{ find: 'two' }, { find: 'fail' }, 'It is four.'], (step) => {
        if (step === 0) bed.say('Make it five, please.');
      });
      const { spans } = await bed.run(model, { content });
      const shown = spans.map(({ name, attributes, events, status }) => ({
        name,
        attributes,
        events,
        status,
      }));
      return secrets.filter((secret) => JSON.stringify(shown).includes(secret));
    };
    expect(await play(false)).toEqual([]);
    expect(await play(true)).toEqual(secrets);
  });

  it('name the kind of a model’s failure and none of its words [NX-344]', async () => {
    const bed = await openTracesBed();
    const model = createSteppingModel(['unsaid'], () => {
      throw new TypeError('the key sk-hunter2 was refused');
    });
    const { spans } = await bed.run(model);
    const [call] = named(spans, 'chat stepper');
    expect(call?.status).toEqual({ code: SpanStatusCode.ERROR, message: '' });
    expect(call?.events.map(({ attributes }) => attributes?.['exception.type'])).toEqual(['TypeError']);
    expect(call?.attributes['error.type']).toBe('TypeError');
    // An error that proves nothing about the request leaves the run for later.
    expect(spans.at(-1)).toMatchObject({
      name: 'carry_run',
      attributes: { 'error.type': 'DeferredError' },
    });
    expect(
      JSON.stringify(spans.map(({ attributes, events, status }) => [attributes, events, status])),
    ).not.toContain('hunter2');
  });

  it.each(['a pause', 'a shutdown'])(
    'are one over %s: the parts stand below one root [NX-345]',
    async (how) => {
      const bed = await openTracesBed();
      const ending = new AbortController();
      const first = createSteppingModel([{ find: 'two' }, 'unsaid'], async (step) => {
        if (step > 0) return;
        if (how === 'a pause') await bed.ask('pause');
        else ending.abort();
      });
      const before = await bed.run(first, { signal: ending.signal });
      expect(named(before.spans, 'carry_run')).toHaveLength(1);
      expect(named(before.spans, 'invoke_agent agent')).toEqual([]);
      if (how === 'a pause') await bed.ask('resume');
      const after = await bed.run(createSteppingModel(['It is four.']));
      const [root, ...others] = named(after.spans, 'invoke_agent agent');
      expect(others).toEqual([]);
      const spans = [...before.spans, ...after.spans];
      expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
      const parts = named(spans, 'carry_run');
      expect(parts.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([
        root?.spanContext().spanId,
        root?.spanContext().spanId,
      ]);
      expect(parts.map(({ attributes }) => attributes['agent.run.resumed'])).toEqual([false, true]);
      expect(root?.startTime[0]).toBeLessThanOrEqual(parts[0]?.startTime[0] ?? 0);
    },
  );
});
