import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PlatformError } from '@agent/platforms';
import type { RunStorage } from '@agent/run-store';
import { createMemoryPlace, createMemoryStorage } from '@agent/run-store/testing';
import { createTextWorker } from '@agent/text/worker';
import { MockLanguageModelV4 } from 'ai/test';
import { parseRunSettings } from '../../../src/config/index.ts';
import { createLabelTrigger, createOrchestrator } from '../../../src/index.ts';
import { through } from '../../lives/play-lives.ts';
import { createFaultyWire } from './faulty-wire.ts';
import {
  hasRound,
  limits,
  type ModelView,
  type TrialClass,
  type TrialStory,
  tellStory,
} from './trial-classes.ts';
import { startGitHubTrial, startGitLabTrial, type TrialForge, token, waitingLabel } from './trial-forge.ts';

/** One trial, repeated by the same values. */
export interface Trial {
  readonly kind: TrialClass;
  readonly forge: TrialForge['name'];
  /** Chooses among the ways of a class. */
  readonly variant: number;
  /** From 0 up to but not 1, one after the other; decides what the wire does. */
  readonly draw: () => number;
  readonly mostFaults: number;
  /** Moments from the first delivery on, counted over all lives, at which the process dies. */
  readonly deaths: readonly number[];
}

/** A request that the model was sent with tools. */
export interface AskedModel {
  readonly view: ModelView;
  readonly head: string | null;
  readonly prompt: string;
}

/** What a trial leaves behind. */
export interface TrialLeft {
  readonly trial: Trial;
  readonly story: TrialStory;
  readonly asked: readonly AskedModel[];
  /** Heads of the branch, as they followed each other, and whether a person pushed in between. */
  readonly heads: readonly { readonly sha: string; readonly byPerson: boolean }[];
  readonly forge: TrialForge;
  /** Place and outcome of each run. */
  readonly runs: readonly string[];
  readonly moments: number;
  readonly died: number;
  readonly faults: readonly string[];
  /** Checks that ran again: the commit that they judge, and the head at that time. */
  readonly reruns: readonly { readonly sha: string; readonly head: string | null }[];
  readonly log: readonly string[];
}

/** Milliseconds of a poll, which no other pause has. */
const pollMs = 777;
const tickMs = 300_000;
/** After these a run that still waits has no end: a week of the forge. */
const mostTicks = 2_000;
/** Questions of each poll, which no moment of a run stands for. */
const polls = /(?:controls\.list|pauseSignal\.isSet|readOverview|health\.check|listPaused)$/u;
const never = new Promise<never>(() => {});
const labels = {
  ...{ waiting: waitingLabel, processing: 'agent works', completed: 'agent done' },
  ...{ failed: 'agent failed', paused: 'agent paused', stopped: 'agent stopped' },
};
const settings = parseRunSettings({
  planning: { enabled: false },
  tools: { run_command: { sandbox: 'off', allow_root: true } },
  follow_up: { max_rounds: limits.rounds, max_rounds_per_head: limits.onHead },
});

/** Plays one change request to its end, over as many processes as it takes. The forge stays open for the judge. */
export async function playTrial(trial: Trial): Promise<TrialLeft> {
  const directory = await mkdtemp(join(tmpdir(), 'follow-up-trial-'));
  const clock = { ms: Date.UTC(2026, 4, 1) };
  const now = () => clock.ms;
  const pass = (milliseconds: number) => {
    // A forge counts in whole ones.
    clock.ms += Math.ceil(milliseconds);
  };
  const forge = await (trial.forge === 'github' ? startGitHubTrial : startGitLabTrial)(now);
  const story = tellStory(trial.kind, trial.variant);
  const place = createMemoryPlace();
  const textWorker = createTextWorker();
  const acts = [...story.acts];
  const atWork = story.whileAtWork === null ? [] : [story.whileAtWork];
  const asked: AskedModel[] = [];
  const heads: { sha: string; byPerson: boolean }[] = [];
  const faults: string[] = [];
  const log: string[] = [];
  let [moments, died, ticks, calls] = [0, 0, 0, 0];
  const readHead = (): string | null => {
    const branch = forge.branch();
    return branch === null ? null : forge.git('rev-parse', branch);
  };
  const reruns: { sha: string; head: string | null }[] = [];
  await forge.answerCi((at) => {
    if (at.attempt > 1) reruns.push({ sha: at.sha, head: readHead() });
    return story.ci(at);
  });
  const noteHead = (byPerson: boolean): void => {
    const sha = readHead();
    if (sha !== null && heads.at(-1)?.sha !== sha) heads.push({ sha, byPerson });
  };
  const isOver = () => [...place.runs.values()].some((run) => run.place === 'completed');

  async function live(): Promise<void> {
    let isDead = false;
    let die = (): void => {};
    const death = new Promise<void>((resolve) => {
      die = resolve;
    });
    const ending = new AbortController();
    const step = async (): Promise<void> => {
      noteHead(false);
      pass(tickMs);
      ticks += 1;
      const [act] = acts;
      if (act !== undefined && (await act(forge))) acts.shift();
      noteHead(true);
      if (isOver() || ticks > mostTicks) ending.abort();
    };
    const gate = {
      isDead: () => isDead,
      mayAsk: () => true,
      pass: async (did: string) => {
        if (isDead) return never;
        if (polls.test(did) || forge.branch() === null) return;
        isDead = trial.deaths.includes(moments);
        moments += 1;
        if (!isDead) return;
        log.push(`dies at ${did}`);
        died += 1;
        die();
        await never;
      },
    };
    const wire = createFaultyWire({
      ...{ draw: trial.draw, pass, mostFaults: trial.mostFaults - faults.length },
      gate: () => gate.pass('wire'),
    });
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt, tools = [] }) => {
        if (isDead) return never;
        calls += 1;
        const view = toView(prompt);
        if (tools.length > 0) {
          noteHead(false);
          asked.push({ view, head: readHead(), prompt: JSON.stringify(prompt) });
        }
        if (hasRound(view) && atWork.length > 0) {
          await atWork.pop()?.(forge);
          noteHead(true);
        }
        const reply = tools.length > 0 ? story.reply(view) : { text: 'A sum was repaired.' };
        await gate.pass('model');
        return answer(reply, calls);
      },
    });
    const platform = forge.openPlatform({
      ...{ now, fetch: wire.fetch },
      sleep: async (milliseconds) => (isDead ? never : pass(milliseconds)),
    });
    let idle = 0;
    const orchestrator = createOrchestrator({
      platforms: [
        {
          platform,
          trigger: createLabelTrigger(platform, labels),
          gitToken: () => (isDead ? (never as never) : token),
        },
      ],
      ...{ model, directory, settings, now, secrets: [token], pollIntervalMs: pollMs },
      storage: through(createMemoryStorage({ place, now }), gate, 'storage') as RunStorage,
      textWorker: { ...textWorker, close: async () => {} },
      logger: toLogger(log, () => isDead),
      sleep: async (milliseconds, signal) => {
        if (isDead) return never;
        if (signal.aborted) return;
        const { running } = orchestrator.board.state;
        await wait(running.size > 0 ? 15 : 1);
        if (milliseconds !== pollMs) return pass(milliseconds);
        idle = running.size === 0 && !wire.isBusy() ? idle + 1 : 0;
        if (idle < 2) return;
        idle = 0;
        await step();
      },
    });
    const ended = orchestrator.run({ signal: ending.signal }).then(
      () => {},
      (error: unknown) => {
        // Connecting may be refused: the process ends, and somebody starts it again.
        if (!isDead && !PlatformError.isInstance(error)) throw error;
      },
    );
    ended.catch(() => {});
    await Promise.race([ended, death]);
    faults.push(...wire.faults);
  }

  try {
    while (!isOver() && ticks <= mostTicks) await live();
    noteHead(false);
    const runs = [...place.runs.values()].map((run) => `${run.place} ${run.outcome?.status}`);
    return { trial, story, asked, heads, forge, runs, moments, died, faults, reruns, log };
  } finally {
    await textWorker.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

function toLogger(log: string[], isDead: () => boolean) {
  const write = (level: string) => (fields: object, message: string) => {
    if (isDead()) return;
    const { err } = fields as { readonly err?: unknown };
    log.push(`${level} ${message}${err === undefined ? '' : `: ${String(err).slice(0, 160)}`}`);
  };
  const logger = {
    ...{ debug: () => {}, info: write('info'), warn: write('warn'), error: write('error') },
    child: () => logger,
  };
  return logger as never;
}

type Model = MockLanguageModelV4['doGenerate'];

function answer(reply: ReturnType<TrialStory['reply']>, count: number): Awaited<ReturnType<Model>> {
  const isText = 'text' in reply;
  const [toolName, input] =
    'write' in reply
      ? ['write_file', { path: 'src/sum.js', content: reply.write }]
      : 'call' in reply
        ? [reply.call, reply.input]
        : ['', {}];
  const call = {
    type: 'tool-call',
    toolCallId: `call-${count}`,
    toolName,
    input: JSON.stringify(input),
  } as const;
  return {
    content: [isText ? { type: 'text', text: reply.text } : call],
    finishReason: isText ? { unified: 'stop', raw: 'stop' } : { unified: 'tool-calls', raw: 'tool_calls' },
    usage: {
      inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 5, text: 5, reasoning: 0 },
    },
    warnings: [],
  };
}

function toView(prompt: Parameters<Model>[0]['prompt']): ModelView {
  const said: string[] = [];
  let written: string[] = [];
  let called: string[] = [];
  const cutShort = findCutShort(prompt);
  for (const { role, content } of prompt) {
    if (role === 'system') continue;
    for (const part of content) {
      if (role === 'user' && part.type === 'text') {
        said.push(part.text);
        [written, called] = [[], []];
      }
      if (part.type !== 'tool-call') continue;
      if (!cutShort.has(part.toolCallId)) called.push(part.toolName);
      if (part.toolName === 'write_file') written.push(String((part.input as { content?: unknown }).content));
    }
  }
  return { said, written, called };
}

/** Calls that a death cut short: a model that is told so makes them again. */
function findCutShort(prompt: Parameters<Model>[0]['prompt']): ReadonlySet<string> {
  const results = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
  return new Set(
    results.flatMap((part) => {
      const isCut = part.providerOptions?.agentRunner?.interrupted === true;
      return part.type === 'tool-result' && isCut ? [part.toolCallId] : [];
    }),
  );
}
