import { APICallError, generateText, type LanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { commentSaying, createInbox, createTool, runForTest, toOutcome } from '../test/run-setup.ts';
import { createScriptedModel, type ModelPrompt } from '../test/scripted-model.ts';
import { type AwaitModelOptions, awaitModel } from './await-model.ts';
import { ModelCircuit } from './model-circuit.ts';

const refusedCall = (statusCode: number, headers: Record<string, string> = {}) =>
  new APICallError({
    message: 'no',
    url: 'http://127.0.0.1/v1',
    requestBodyValues: {},
    statusCode,
    responseHeaders: headers,
  });

/** An endpoint that fails until a time, and a clock that sleeping moves. */
function setUp({ until, error = () => refusedCall(503) }: { until: number; error?: () => Error }) {
  let time = 0;
  const now = () => time;
  const sleeps: number[] = [];
  const sleep: AwaitModelOptions['sleep'] = async (milliseconds) => {
    sleeps.push(milliseconds);
    time += milliseconds;
  };
  const states: string[] = [];
  const circuit = new ModelCircuit({ now, random: () => 1, onChange: ({ status }) => states.push(status) });
  const script = createScriptedModel(() => (time < until ? error() : 'Done.'));
  const model = circuit.watch(script);
  return {
    now,
    sleep,
    sleeps,
    states,
    circuit,
    model,
    asked: script.prompts,
    pass: (ms: number) => (time += ms),
  };
}

const shortText = 'Answer with OK.';
const isShort = (prompt: ModelPrompt) => JSON.stringify(prompt).includes(shortText);

const ask = (model: Parameters<typeof generateText>[0]['model']) =>
  generateText({ model, prompt: 'x', maxRetries: 0 }).then(
    ({ text }) => text,
    (error: Error) => error.name,
  );

describe('a model that cannot be reached', () => {
  it('is waited for with growing pauses, and the run goes on where it was [NX-41]', async () => {
    const { now, sleep, sleeps, states, circuit, model, asked } = setUp({ until: 200_000 });
    const availability = awaitModel(circuit, { sleep, now });
    const { result } = await runForTest({
      model,
      availability,
      sleep,
      now,
      limits: { maxDurationMs: 60_000 },
    });
    expect(toOutcome(result)).toMatchObject({
      status: 'completed',
      statistics: { modelCalls: 1, durationMs: 0 },
    });
    expect(states.at(0)).toBe('open');
    expect(states.at(-1)).toBe('closed');
    expect(sleeps.slice(0, 5)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000]);
    expect(asked.length).toBeLessThan(14);
  });

  it('is not asked before the time that it named, however long that is [NX-41]', async () => {
    const headers = { 'retry-after': '3600' };
    const { now, sleep, circuit, model, asked } = setUp({
      until: 3_500_000,
      error: () => refusedCall(429, headers),
    });
    const { result } = await runForTest({ model, availability: awaitModel(circuit, { sleep, now }), now });
    expect(toOutcome(result).status).toBe('completed');
    // The request itself, then the short one that tries the endpoint, and the request again.
    expect(asked.map((prompt) => isShort(prompt))).toEqual([false, true, false]);
    expect(now()).toBe(3_600_000);
  });

  it('lets pause and stop through while it is waited for, and hears comments [NX-41]', async () => {
    const { now, sleep, circuit, model } = setUp({ until: Number.POSITIVE_INFINITY });
    const comments = createInbox([commentSaying('Hello?', 'c1')]);
    const signals = { read: async () => (now() > 100_000 ? ('stop' as const) : ('none' as const)) };
    const availability = awaitModel(circuit, { sleep, now });
    const { result } = await runForTest({ model, availability, signals, comments, now });
    expect(toOutcome(result)).toMatchObject({ status: 'stopped', statistics: { modelCalls: 0 } });
    expect(comments.delivered).toEqual(['c1']);
    expect(now()).toBeLessThan(120_000);
  });

  it('is asked by one probe at a time, whatever the number of runs, and all go on after its answer [NX-41]', async () => {
    const { circuit, pass } = setUp({ until: 0 });
    let release = (): void => undefined;
    let isDown = true;
    const script = createScriptedModel(async () => {
      if (isDown) return refusedCall(500);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return 'Done.';
    });
    const model = circuit.watch(script);
    for (let times = 0; times < 3; times += 1) await ask(model);
    expect(circuit.state.status).toBe('open');
    expect(await ask(model)).toBe('ModelUnavailable');
    pass(60_000);
    isDown = false;
    const probe = ask(model);
    while (script.prompts.length < 4) await Promise.resolve();
    expect(circuit.waitMs).toBeNull();
    expect(await ask(model)).toBe('ModelUnavailable');
    release();
    while (script.prompts.length < 5) await Promise.resolve();
    expect(circuit.waitMs).toBe(0);
    release();
    expect(await probe).toBe('Done.');
    expect(script.prompts).toHaveLength(5);
  });

  it('is probed when it fails while the request after an earlier probe goes on [NX-41]', async () => {
    const { circuit, pass } = setUp({ until: 0 });
    const failing = circuit.watch(createScriptedModel(() => refusedCall(500)));
    const fail = async () => {
      for (let times = 0; times < 3; times += 1) await ask(failing);
    };
    await fail();
    pass(60_000);
    let release = (): void => undefined;
    const slow = createScriptedModel((prompt) =>
      isShort(prompt)
        ? 'OK'
        : new Promise<string>((resolve) => {
            release = () => resolve('Done.');
          }),
    );
    const answer = ask(circuit.watch(slow));
    while (slow.prompts.length < 2) await Promise.resolve();
    await fail();
    expect(circuit.state.status).toBe('open');
    pass(60_000);
    expect(circuit.waitMs).toBe(0);
    release();
    expect(await answer).toBe('Done.');
  });

  it('is waited for anew, from the shortest pause on, after it answered before the time that it named [NX-41]', async () => {
    let time = 0;
    const circuit = new ModelCircuit({ now: () => time, random: () => 0 });
    let answer = (_text: string): void => undefined;
    const slow = createScriptedModel(
      () =>
        new Promise<string>((resolve) => {
          answer = resolve;
        }),
    );
    const underWay = ask(circuit.watch(slow));
    while (slow.prompts.length < 1) await Promise.resolve();
    await ask(circuit.watch(createScriptedModel(() => refusedCall(429, { 'retry-after': '3600' }))));
    expect(circuit.waitMs).toBe(3_600_000);
    answer('Done.');
    await underWay;
    expect(circuit.waitMs).toBe(0);
    time += 1_000;
    const failing = circuit.watch(createScriptedModel(() => refusedCall(503)));
    for (let times = 0; times < 3; times += 1) await ask(failing);
    expect(circuit.waitMs).toBe(2_000);
    expect(circuit.state).toMatchObject({ status: 'open', since: 1_000 });
  });

  it('stays with its one probe while a request from before the outage fails [NX-41]', async () => {
    const { circuit, pass } = setUp({ until: 0 });
    let fail = (): void => undefined;
    const early = createScriptedModel(
      () =>
        new Promise<Error>((resolve) => {
          fail = () => resolve(refusedCall(500));
        }),
    );
    const underWay = ask(circuit.watch(early));
    while (early.prompts.length < 1) await Promise.resolve();
    const failing = circuit.watch(createScriptedModel(() => refusedCall(500)));
    for (let times = 0; times < 3; times += 1) await ask(failing);
    pass(60_000);
    let release = (): void => undefined;
    const probed = createScriptedModel(
      () =>
        new Promise<string>((resolve) => {
          release = () => resolve('OK');
        }),
    );
    const probe = ask(circuit.watch(probed));
    while (probed.prompts.length < 1) await Promise.resolve();
    fail();
    await underWay;
    expect(circuit.waitMs).toBeNull();
    release();
    while (probed.prompts.length < 2) await Promise.resolve();
    release();
    expect(await probe).toBe('OK');
  });

  it('that is only named is passed on as it is, for whoever knows the name', () => {
    expect(setUp({ until: 0 }).circuit.watch('provider/model')).toBe('provider/model');
  });

  it('that wants another key stops everything at once, until it answers [NX-42]', async () => {
    const { circuit, model, pass, sleep, now } = setUp({ until: 30_000, error: () => refusedCall(401) });
    await ask(model);
    expect(circuit.state).toMatchObject({
      status: 'open',
      failure: { kind: 'unauthorized', remedy: 'operator' },
    });
    expect(circuit.waitMs).toBe(1_000);
    const availability = awaitModel(circuit, { sleep, now, maxOutageMs: 60_000 });
    const { result } = await runForTest({ model, availability, now });
    expect(result).toMatchObject({ kind: 'deferred', statistics: { modelCalls: 0 } });
    pass(60_000);
    expect(await ask(model)).toBe('Done.');
    expect(circuit.state.status).toBe('closed');
  });

  it.each([
    [500, 'HTTP 500'],
    [403, 'API key'],
  ])(
    'that refuses one request with %d while it answers others is no outage: that run fails [NX-41]',
    async (status, reason) => {
      const { circuit, sleep, now, pass } = setUp({ until: 0 });
      const poison = circuit.watch(createScriptedModel(() => refusedCall(status)));
      const good = circuit.watch(createScriptedModel(() => 'Done.'));
      const listening = circuit.subscribe(() => pass(0));
      const { result } = await runForTest({
        model: poison,
        availability: awaitModel(circuit, { sleep, now }),
        signals: { read: async () => ask(good).then(() => (now() > 600_000 ? 'stop' : 'none')) },
        tools: { echo: createTool((text) => text) },
      });
      listening();
      expect(toOutcome(result).status).toBe('failed');
      expect(toOutcome(result).reason).toContain(reason);
    },
  );

  it.each([
    ['500', () => refusedCall(500), 'HTTP 500', 0],
    ['500 and a time to wait', () => refusedCall(500, { 'retry-after-ms': '1' }), 'HTTP 500', 2],
    ['403', () => refusedCall(403), 'API key', 0],
    [
      'a broken connection',
      () => Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' }),
      'ECONNRESET',
      0,
    ],
  ])(
    'that meets the request of the only run with %s and answers a short one is no outage: that run fails [NX-41]',
    async (_name, error, reason, maxRetries) => {
      const { circuit, sleep, now } = setUp({ until: 0 });
      const script = createScriptedModel((prompt) => (isShort(prompt) ? 'OK' : error()));
      const { result } = await runForTest({
        model: circuit.watch(script),
        availability: awaitModel(circuit, { sleep, now, maxOutageMs: 60_000 }),
        now,
        maxRetries,
        signals: { read: async () => (now() > 7_200_000 ? 'stop' : 'none') },
      });
      expect(toOutcome(result)).toMatchObject({ status: 'failed', reason: expect.stringContaining(reason) });
      expect(toOutcome(result).reason).toContain('the endpoint answers others');
      const short = script.prompts.filter((prompt) => isShort(prompt));
      expect(short).toHaveLength(5);
    },
  );

  it('that answers with pages alone fails no run, and is told from a request that gets one alone [NX-42]', async () => {
    const page = (statusCode: number) =>
      new APICallError({
        message: 'Invalid JSON response',
        url: 'http://127.0.0.1/v1',
        requestBodyValues: {},
        statusCode,
        responseBody: '<html>Maintenance</html>',
      });
    for (const status of [200, 405]) {
      const { now, sleep, states, circuit, model } = setUp({ until: 200_000, error: () => page(status) });
      const { result } = await runForTest({
        ...{ model, now, sleep: async () => {} },
        availability: awaitModel(circuit, { sleep, now }),
      });
      expect(toOutcome(result).status).toBe('completed');
      expect(states).toContain('open');
    }
    const { circuit, now, sleep } = setUp({ until: 0 });
    const alone = createScriptedModel((prompt) => (isShort(prompt) ? 'OK' : page(200)));
    const { result } = await runForTest({ model: circuit.watch(alone), now, sleep });
    expect(toOutcome(result).status).toBe('failed');
    expect(circuit.state.status).toBe('closed');
  });

  it('is tried by short requests alone while it is away, no more often than its pauses [NX-41]', async () => {
    const { circuit, model, asked, sleep, sleeps, now } = setUp({ until: 600_000 });
    const { result } = await runForTest({ model, availability: awaitModel(circuit, { sleep, now }), now });
    expect(toOutcome(result).status).toBe('completed');
    const short = asked.filter((prompt) => isShort(prompt));
    expect(asked.length - short.length).toBe(4);
    expect(short.length).toBeLessThanOrEqual(sleeps.length);
    expect(short.length).toBeLessThan(16);
  });

  it('that limits how often it is asked is waited for, though it answers short requests [NX-41]', async () => {
    const { circuit, sleep, now } = setUp({ until: 0 });
    const limited = () => refusedCall(429, { 'retry-after': '60' });
    const script = createScriptedModel((prompt) => (isShort(prompt) || now() > 900_000 ? 'OK' : limited()));
    const model = circuit.watch(script);
    const { result } = await runForTest({ model, availability: awaitModel(circuit, { sleep, now }), now });
    expect(toOutcome(result).status).toBe('completed');
  });

  it('stays closed to tasks while one of its models needs an operator, whatever another model answers', async () => {
    let time = 0;
    const circuit = new ModelCircuit({ now: () => time, random: () => 1 });
    const named = (modelId: string, answer: Parameters<typeof createScriptedModel>[0]) =>
      circuit.watch(Object.assign(createScriptedModel(answer) as object, { modelId }) as LanguageModel);
    let isKnown = false;
    const planning = named('plans', () => (isKnown ? 'A plan.' : refusedCall(404)));
    const work = named('works', () => 'Done.');
    await ask(planning);
    expect(circuit.state).toMatchObject({ status: 'open', failure: { kind: 'unknown-model' } });
    expect(await ask(work)).toBe('Done.');
    expect(circuit.state.status).toBe('open');
    expect(await ask(planning)).toBe('ModelUnavailable');
    isKnown = true;
    time += 60_000;
    expect(await ask(planning)).toBe('A plan.');
    expect(circuit.state.status).toBe('closed');
  });

  it('is left for later where nobody waits that long', async () => {
    const { circuit, model, sleep, now } = setUp({ until: Number.POSITIVE_INFINITY });
    const availability = awaitModel(circuit, { sleep, now, maxOutageMs: 60_000 });
    const { result } = await runForTest({ model, availability, now });
    expect(result).toMatchObject({ kind: 'deferred', statistics: { modelCalls: 0 } });
    expect(now()).toBeLessThanOrEqual(60_000);
  });

  it('ends its run at once at a shutdown, without an outcome', async () => {
    const { circuit, model, now } = setUp({ until: Number.POSITIVE_INFINITY });
    const shutdown = new AbortController();
    const sleep: AwaitModelOptions['sleep'] = async (_milliseconds, { signal }) => {
      shutdown.abort();
      signal?.throwIfAborted();
    };
    const availability = awaitModel(circuit, { sleep, now });
    const { result } = await runForTest({ model, availability, now, signal: shutdown.signal });
    expect(result.kind).toBe('interrupted');
  });

  it.each([
    ['its caller left', new DOMException('left', 'AbortError'), 'closed'],
    ['its time was over', new DOMException('too slow', 'TimeoutError'), 'open'],
  ])('is held to be away by a request that failed when %s: %s', async (_, reason, status) => {
    const circuit = new ModelCircuit({ now: () => 0 });
    for (let times = 0; times < 3; times += 1) {
      const leaving = new AbortController();
      const script = createScriptedModel(() => {
        leaving.abort(reason);
        return refusedCall(503);
      });
      const request = { model: circuit.watch(script), prompt: 'x', abortSignal: leaving.signal };
      await expect(generateText({ ...request, maxRetries: 0 })).rejects.toThrow();
    }
    expect(circuit.state.status).toBe(status);
    expect(circuit.answers).toBe(0);
  });
});
