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

/** Something that a process has done outside of itself: a line that it wrote, a request that was answered. */
export interface Moment {
  /** From 0, over all lives, and only once the model has answered first. */
  readonly index: number;
  readonly life: number;
  readonly did: string;
}

/** Happenings at a moment: a comment of somebody who may steer or who may not, another text of the thread, the edit or deletion of a comment, an outage of the platform, a death of the process. */
export const acts = ['alice', 'bob', 'stop', 'rewrite', 'edit', 'remove', 'cut', 'die'] as const;

export type Act = (typeof acts)[number];

/** What people said, and when. */
export interface Said {
  /** `thread` for another text of the thread. */
  readonly id: string;
  /** Words that it had one after the other; of a command none. */
  readonly words: readonly string[];
  readonly by: 'alice' | 'bob';
  readonly isGone: boolean;
  /** Number of final comments that stood there before. */
  readonly endsBefore: number;
}

/** What is left once nothing is to be done any more. */
export interface Left {
  readonly moments: readonly Moment[];
  readonly said: readonly Said[];
  /** Requests of the model, but for those for summaries, and how many final comments stood on the thread when they were made. */
  readonly requests: readonly { readonly text: string; readonly ends: number }[];
  /** Comments of the thread, oldest first. */
  readonly comments: readonly { readonly id: string; readonly body: string; readonly author: string }[];
  /** Place and outcome of each run. */
  readonly runs: readonly string[];
  readonly isAssigned: boolean;
}

const never = new Promise<never>(() => {});
const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const settings = parseRunSettings({
  planning: { enabled: false },
  tools: { run_command: { sandbox: 'off', allow_root: true } },
});
/** Ways to further parts. All others are asked something, and answer later. */
const opens = /^(open\w*|restore|resume)$/;
const answersAtOnce =
  /^(open(Store|Reader|Thread|Changes|Review|State|Outbox|Spending)|position|locate|requireOwned)$/;
const startedAt = Date.parse('2026-03-01T10:00:00Z');
const mostLives = 20;

/** One process, as far as what is outside of it goes. */
export interface Gate {
  readonly isDead: () => boolean;
  /** False where the platform cannot be reached. */
  readonly mayAsk: () => boolean;
  /** Resolves once something was done, or never for a process that died of it. */
  readonly pass: (did: string) => Promise<void>;
}

/** Plays lives of a process one after the other, until one has nothing left to do. */
export async function playLives(happenings: readonly (readonly [moment: number, act: Act])[]): Promise<Left> {
  const directory = await mkdtemp(join(tmpdir(), 'lives-'));
  const clock = { ms: startedAt };
  const now = () => clock.ms;
  const platform = createMemoryPlatform({
    now: () => new Date(clock.ms),
    answersOnly: true,
    repositories: [{ path: 'octo/hello', files: {}, access: { alice: 'write', bob: 'read' } }],
  });
  const { people } = platform;
  const key = people.openIssue({ author: 'alice', title: 'Sums', body: 'What is two and two?' });
  people.assign(key, ['agent'], { by: 'alice' });
  const place = createMemoryPlace();
  const moments: Moment[] = [];
  const said: Said[] = [];
  const requests: { readonly text: string; readonly ends: number }[] = [];
  const countEnds = () => people.commentsOn(key).filter(({ body }) => body.includes(':final -->')).length;
  let words = 0;
  const nextWord = () => {
    words += 1;
    return `kiwi${words}plum`;
  };
  let cut = 0;
  /** Changes the last comment that stands and is no command. */
  const change = (act: (one: Said) => Said): void => {
    const at = said.findLastIndex(
      ({ id, isGone, words: own }) => id !== 'thread' && !isGone && own.length > 0,
    );
    const one = said[at];
    if (one === undefined) return;
    clock.ms += 1_000;
    said[at] = act(one);
    clock.ms += 1_000;
  };
  const keep = (id: string, fields: Pick<Said, 'words' | 'by'>): void => {
    said.push({ id, ...fields, isGone: false, endsBefore: countEnds() });
    clock.ms += 1_000;
  };
  const say = (by: Said['by'], text?: string): void => {
    clock.ms += 1_000;
    const word = nextWord();
    const id = people.comment(key, { author: by, body: text ?? `Please mind ${word}.` });
    keep(id, { words: text === undefined ? [word] : [], by });
  };
  const carryOut: Readonly<Record<Exclude<Act, 'die'>, (index: number) => void>> = {
    alice: () => say('alice'),
    bob: () => say('bob'),
    stop: () => say('alice', '/stop'),
    rewrite: () => {
      for (const [at, one] of said.entries()) if (one.id === 'thread') said[at] = { ...one, isGone: true };
      clock.ms += 1_000;
      const word = nextWord();
      people.editThread(key, { body: `What is two and two? Please mind ${word}.` });
      keep('thread', { words: [word], by: 'alice' });
    },
    edit: () =>
      change((one) => {
        const word = nextWord();
        people.editComment(key, one.id, `Please mind ${word}.`);
        return { ...one, words: [...one.words, word] };
      }),
    remove: () =>
      change((one) => {
        people.deleteComment(key, one.id);
        return { ...one, isGone: true };
      }),
    cut: (index) => {
      cut = 1 + (index % 7);
    },
  };
  /** @returns true where the process dies */
  const happen = ({ index }: Moment): boolean => {
    const now = happenings.flatMap(([moment, act]) => (moment === index ? [act] : []));
    for (const act of now) if (act !== 'die') carryOut[act](index);
    return now.includes('die');
  };
  const textWorker = createTextWorker();
  let hasAnswered = false;

  async function live(life: number): Promise<'ended' | 'left' | 'died'> {
    let isDead = false;
    let die = (): void => {};
    const death = new Promise<'died'>((resolve) => {
      die = () => resolve('died');
    });
    const gate: Gate = {
      isDead: () => isDead,
      mayAsk: () => {
        cut -= 1;
        return cut < 0;
      },
      pass: async (did) => {
        if (isDead) return never;
        if (!hasAnswered) return;
        const moment = { index: moments.length, life, did };
        moments.push(moment);
        isDead = happen(moment);
        if (!isDead) return;
        die();
        await never;
      },
    };
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt, tools = [] }) => {
        if (isDead) return never;
        if (tools.length > 0) requests.push({ text: JSON.stringify(prompt), ends: countEnds() });
        hasAnswered = true;
        await gate.pass(tools.length > 0 ? 'model answered' : 'model summarized');
        return {
          content: [{ type: 'text', text: 'It is four.' }],
          finishReason: { unified: 'stop', raw: 'stop' },
          usage,
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
      textWorker: { ...textWorker, close: async () => {} },
      now,
      sleep: async (milliseconds) => {
        if (isDead) return never;
        clock.ms += milliseconds;
      },
    });
    const ended = orchestrator.run({ once: true }).then(
      (isWhole) => (isWhole ? ('ended' as const) : ('left' as const)),
      (error: unknown) => {
        if (!isDead && !PlatformError.isInstance(error)) throw error;
        return 'left' as const;
      },
    );
    ended.catch(() => {});
    return Promise.race([ended, death]);
  }

  try {
    let life = 0;
    while ((await live(life)) !== 'ended') {
      life += 1;
      if (life === mostLives) throw new Error('the process dies for ever');
    }
    const comments = people.commentsOn(key);
    const { assignees } = await platform.openThread(key).reader.readThread();
    return {
      ...{ moments, said, requests },
      comments: comments.map(({ id, body, author }) => ({ id, body, author: author?.login ?? '' })),
      runs: [...place.runs.values()].map((run) => `${run.place} ${run.outcome?.status}`),
      isAssigned: assignees.length > 0,
    };
  } finally {
    await textWorker.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** The same, of which a process that is dead hears nothing more. */
export function through<Target extends object>(target: Target, gate: Gate, path: string): Target {
  return new Proxy(target, {
    get: (_, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof name === 'symbol' || name === 'members') return value;
      if (typeof value === 'function') return callThrough(value as AnyFunction, { target, gate, path, name });
      const isPart = typeof value === 'object' && value !== null && !Array.isArray(value);
      return isPart && holdsFunctions(value) ? through(value, gate, `${path}.${name}`) : value;
    },
  });
}

function holdsFunctions(value: object): boolean {
  return Object.values(value).some((one) => typeof one === 'function');
}

interface Called {
  readonly target: object;
  readonly gate: Gate;
  readonly path: string;
  readonly name: string;
}

type AnyFunction = (...args: never[]) => unknown;

function callThrough(value: AnyFunction, { target, gate, path, name }: Called) {
  const did = `${path}.${name}`;
  const wrap = (result: unknown) =>
    opens.test(name) && typeof result === 'object' && result !== null ? through(result, gate, did) : result;
  return (...args: never[]): unknown => {
    if (!answersAtOnce.test(name)) {
      if (gate.isDead()) return never;
      if (path.startsWith('platform') && !gate.mayAsk())
        return Promise.reject(new PlatformError(`${did}: nobody there`, { code: 'unavailable' }));
    }
    const result = Reflect.apply(value, target, args);
    if (!(result instanceof Promise)) return wrap(result);
    return result.then(async (answer) => {
      await gate.pass(did);
      return wrap(answer);
    });
  };
}
