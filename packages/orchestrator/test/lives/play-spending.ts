import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlatformError } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import type { RunStorage } from '@agent/run-store';
import { createMemoryPlace, createMemoryStorage } from '@agent/run-store/testing';
import { createTextWorker } from '@agent/text/worker';
import { MockLanguageModelV4 } from 'ai/test';
import { parseRunSettings } from '../../src/config/index.ts';
import { createOrchestrator } from '../../src/index.ts';
import { type Gate, through } from './play-lives.ts';

/** A trial: two threads that are worked on at the same time, by processes that die. */
export interface SpendingTrial {
  /** Limits in the currency; null for none. */
  readonly run: number | null;
  readonly day: number | null;
  /** Steps that each thread's work takes, unless its money ends before. */
  readonly steps: readonly [number, number];
  /** Output tokens of the answers, one after the other and again from the first. */
  readonly outputs: readonly number[];
  /** Moments at which the process dies, by number. */
  readonly deaths: readonly number[];
  /** Comments on the first thread once all is done, each followed by another process. Default none. */
  readonly says?: readonly { readonly author: 'alice' | 'bob'; readonly body: string }[] | undefined;
}

/** What a trial has left. */
export interface SpendingLeft {
  /** Billed by the model's provider, in millionths: of each run by its thread, and the dearest call. */
  readonly billed: readonly [number, number];
  /** Billed on each day. */
  readonly daily: readonly number[];
  readonly dearest: number;
  /** Spent by the ledger, of all runs. */
  readonly spent: number;
  readonly presumed: number;
  readonly moments: number;
  /** Requests of the first thread's runs, but for those for summaries. */
  readonly prompts: readonly string[];
  /** Comments that runs ended with, by thread. */
  readonly ends: readonly (readonly string[])[];
  /** Comments of runs that waited for a budget, by thread. */
  readonly waits: readonly (readonly string[])[];
}

/** A token costs a millionth of it; so a limit of 0.001 is a thousand tokens. */
const price = { input: 0, output: 1, max_output_tokens: 400 };
const never = new Promise<never>(() => {});
const startedAt = Date.parse('2026-03-01T10:00:00Z');
const titles = ['Apples', 'Pears'] as const;
const mostLives = 60;
const dayMs = 86_400_000;

/** Plays processes one after the other, until one has nothing left to do. */
export async function playSpending(trial: SpendingTrial): Promise<SpendingLeft> {
  const directory = await mkdtemp(join(tmpdir(), 'spending-'));
  const clock = { ms: startedAt };
  const now = () => clock.ms;
  const platform = createMemoryPlatform({
    now: () => new Date(clock.ms),
    answersOnly: true,
    repositories: [{ path: 'octo/hello', files: {}, access: { alice: 'write', bob: 'read' } }],
  });
  const { people } = platform;
  const keys = titles.map((title) => people.openIssue({ author: 'alice', title, body: `Count ${title}.` }));
  for (const key of keys) people.assign(key, ['agent'], { by: 'alice' });
  const place = createMemoryPlace();
  const settings = parseRunSettings({
    planning: { enabled: false },
    tools: { run_command: { sandbox: 'off', allow_root: true } },
    limits: { max_cost: { run: trial.run, day: trial.day }, max_tool_failures: 100, max_same_calls: 1_000 },
    llm: { prices: { 'mock-model-id': price }, max_retries: 0 },
  });
  const textWorker = createTextWorker();
  const billed: [number, number] = [0, 0];
  const daily = [0];
  const steps: [number, number] = [0, 0];
  const prompts: string[] = [];
  let [dearest, calls, moments] = [0, 0, 0];

  async function live(): Promise<'ended' | 'waits' | 'left' | 'died'> {
    let isDead = false;
    let die = (): void => {};
    const death = new Promise<'died'>((resolve) => {
      die = () => resolve('died');
    });
    const gate: Gate = {
      isDead: () => isDead,
      mayAsk: () => true,
      pass: async () => {
        if (isDead) return never;
        // What is before the first call is the same for all runs.
        if (calls === 0) return;
        isDead = trial.deaths.includes(moments);
        moments += 1;
        if (!isDead) return;
        die();
        await never;
      },
    };
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt, tools = [], maxOutputTokens }) => {
        if (isDead) return never;
        const said = JSON.stringify(prompt);
        const thread = said.includes('Count Apples') ? 0 : 1;
        if (thread === 0 && tools.length > 0) prompts.push(said);
        const output = Math.min(
          trial.outputs[calls % trial.outputs.length] ?? 1,
          maxOutputTokens ?? 1_000_000,
        );
        calls += 1;
        // Billed whatever becomes of who asked.
        billed[thread] += output;
        daily.push((daily.pop() ?? 0) + output);
        dearest = Math.max(dearest, output);
        steps[thread] += 1;
        await gate.pass('model answered');
        const isWork = tools.length > 0 && steps[thread] <= trial.steps[thread];
        const call = { toolCallId: `c${calls}`, toolName: 'count', input: JSON.stringify({ n: calls }) };
        return {
          content: [isWork ? { type: 'tool-call', ...call } : { type: 'text', text: 'Counted.' }],
          finishReason: { unified: isWork ? 'tool-calls' : 'stop', raw: undefined },
          usage: {
            inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: output, text: output, reasoning: 0 },
          },
          warnings: [],
        };
      },
    });
    const orchestrator = createOrchestrator({
      platforms: [through(platform, gate, 'platform')],
      model,
      directory,
      storage: through(createMemoryStorage({ place, now }), gate, 'storage') as RunStorage,
      settings,
      concurrency: 2,
      textWorker: { ...textWorker, close: async () => {} },
      now,
      sleep: async (milliseconds) => {
        if (isDead) return never;
        clock.ms += milliseconds;
      },
    });
    const ended = orchestrator.run({ once: true }).then(
      (isWhole) => (isWhole ? ('ended' as const) : ('waits' as const)),
      (error: unknown) => {
        if (!isDead && !PlatformError.isInstance(error)) throw error;
        return 'left' as const;
      },
    );
    ended.catch(() => {});
    return Promise.race([ended, death]);
  }

  async function liveToEnd(): Promise<void> {
    for (let lives = 1; ; lives += 1) {
      if (lives === mostLives) throw new Error('the process dies for ever');
      const end = await live();
      if (end === 'ended') return;
      if (end !== 'waits' || trial.day === null) continue;
      // A day whose budget is used up ends no run: the next one has another.
      clock.ms += dayMs;
      daily.push(0);
    }
  }

  try {
    await liveToEnd();
    for (const { author, body } of trial.says ?? []) {
      clock.ms += 60_000;
      people.comment(keys[0] as (typeof keys)[number], { author, body });
      await liveToEnd();
    }
    const last = createMemoryStorage({ place, now });
    const ledger = last.openSpending({ owner: await last.members.acquire() });
    const days = daily.map((_, day) => new Date(startedAt + day * dayMs).toISOString().slice(0, 10));
    const accounts = await ledger.read(days.map((day) => `day:${day}`));
    const list = (topic: string) =>
      keys.map((key) =>
        people.commentsOn(key).flatMap(({ body }) => (body.includes(`:${topic} -->`) ? [body] : [])),
      );
    return {
      ...{ billed, daily, dearest, moments, prompts, ends: list('final'), waits: list('money') },
      spent: accounts.reduce((sum, { spentMicros }) => sum + spentMicros, 0),
      presumed: accounts.reduce((sum, { presumedMicros }) => sum + presumedMicros, 0),
    };
  } finally {
    await textWorker.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Finds what does not hold of what a trial has spent. */
export function findOverspent(trial: SpendingTrial, left: SpendingLeft): readonly string[] {
  const { billed, daily, dearest, spent, ends } = left;
  const total = billed[0] + billed[1];
  const toMicros = (limit: number | null) => (limit === null ? Number.POSITIVE_INFINITY : limit * 1_000_000);
  return [
    ...billed.flatMap((one, thread) =>
      one > toMicros(trial.run) + dearest ? [`thread ${thread} was billed ${one}`] : [],
    ),
    ...daily.flatMap((one, day) =>
      one > toMicros(trial.day) + dearest ? [`day ${day} was billed ${one}`] : [],
    ),
    ...(spent < total ? [`${total} was billed, and ${spent} is said`] : []),
    ...(trial.deaths.length === 0 && spent !== total ? [`${total} was billed, and ${spent} is counted`] : []),
    ...ends.flatMap((comments, thread) =>
      comments.length === 1 ? [] : [`thread ${thread} has ${comments.length} reports`],
    ),
    ...ends.flatMap((comments, thread) =>
      comments.some(
        (body) => !/Counted\.|process crashed|ended at its limit of 0\.00\d\d USD for this run/.test(body),
      )
        ? [`thread ${thread} says nothing of its end`]
        : [],
    ),
  ];
}
