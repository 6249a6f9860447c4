import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDaemonTrial } from './daemon-trial.ts';
import { runDiscordTrial } from './discord-trial.ts';
import { findLogFaults, findUnpublishable } from './find-unpublishable.ts';
import { createLlamaEngine } from './front/llama-engine.ts';
import { type Front, type FrontExchange, startFront } from './front/start-front.ts';
import { installLlama, installModel } from './install-model.ts';
import { type TrialRow, toReport } from './report.ts';
import type { TrialModel } from './trial-models.ts';

/** Programs that are tried, and the limit of tokens for each answer of the model. */
const programs = {
  daemon: { run: runDaemonTrial, answerTokens: 512 },
  discord: { run: runDiscordTrial, answerTokens: 200 },
} as const;

/** Name of a program that can be tried. */
export type ProgramName = keyof typeof programs;

export const programNames = Object.keys(programs) as readonly ProgramName[];

export interface TryModelOptions {
  readonly model: TrialModel;
  readonly program: ProgramName;
  readonly seeds: readonly number[];
  readonly window: number;
  readonly threads: number;
  /** Default: that of the program. */
  readonly answerTokens: number | undefined;
  /** Directory that keeps downloads. */
  readonly cache: string;
  /** Directory for reports. */
  readonly reports: string;
  readonly print: (line: string) => void;
}

/** Tools whose calls a model may write as text. */
const tools = [
  ...['read_file', 'write_file', 'edit_file', 'list_files', 'search_files', 'run_command', 'finish'],
  ...['read_comment', 'post_comment', 'read_output'],
];

/** Sampler and log of the endpoint for one seed. */
interface Sampling {
  readonly seed: number;
  readonly exchanges: FrontExchange[];
  readonly file: string;
  answers: number;
}

/** Starts the model with its endpoint, and runs the program once for each seed. */
export async function tryModel(options: TryModelOptions): Promise<readonly TrialRow[]> {
  const { model, program, window, seeds, reports, print } = options;
  let sampling: Sampling | null = null;
  const { front, close } = await openModel(options, {
    nextSeed: () => (sampling === null ? 0 : sampling.seed * 10_000 + sampling.answers++),
    onExchange: async (exchange) => {
      sampling?.exchanges.push(exchange);
      if (sampling !== null) await appendFile(sampling.file, `${JSON.stringify(exchange)}\n`);
    },
  });
  print(`\n${model.title}, window ${window}, at ${front.baseUrl}`);
  const rows: TrialRow[] = [];
  try {
    for (const seed of seeds) {
      const place = join(reports, `${model.name}-${program}-${seed}`);
      await rm(place, { recursive: true, force: true });
      await mkdir(place, { recursive: true });
      sampling = { seed, exchanges: [], file: join(place, 'requests.jsonl'), answers: 0 };
      const row = await tryOnce(options, { baseUrl: front.baseUrl, place, ...sampling });
      rows.push(row);
      const verdict = row.problems.length === 0 ? 'holds ' : 'BROKEN';
      print(`${verdict} ${program} seed ${seed}: ${row.summary} (${row.seconds} s)`);
      for (const problem of row.problems) print(`       ${problem}`);
    }
    return rows;
  } finally {
    await close();
  }
}

/** Starts the model with its endpoint, downloading it the first time. */
export async function openModel(
  options: Omit<TryModelOptions, 'seeds' | 'reports'>,
  {
    nextSeed,
    onExchange,
  }: { readonly nextSeed: () => number; readonly onExchange: (exchange: FrontExchange) => void },
): Promise<{ readonly front: Front; readonly close: () => Promise<void> }> {
  const { model, program, window: contextLength, threads, answerTokens } = options;
  const library = await installLlama(options);
  const file = await installModel(model, options);
  const engine = await createLlamaEngine({
    ...{ library, file, model: model.name, contextLength, threads, nextSeed },
    maxAnswerTokens: answerTokens ?? programs[program].answerTokens,
  });
  const front = await startFront({ engine, onExchange });
  return {
    front,
    close: async () => {
      await front.close();
      await engine.close();
    },
  };
}

async function tryOnce(
  { model: { name: model }, program, window }: TryModelOptions,
  { seed, exchanges, place, baseUrl }: Sampling & { readonly place: string; readonly baseUrl: string },
): Promise<TrialRow> {
  const directory = await mkdtemp(join(tmpdir(), 'try-model-'));
  const startedAt = performance.now();
  try {
    const result = await programs[program].run({ seed, model, baseUrl, window, directory });
    const { summary, published, secrets, log } = result;
    const row: TrialRow = {
      ...{ model, program, seed, summary, requests: exchanges.length },
      refused: exchanges.filter(({ status }) => status >= 400).length,
      seconds: Math.round((performance.now() - startedAt) / 1_000),
      problems: [
        ...result.problems,
        ...published.flatMap(({ place: where, text, asked }) =>
          findUnpublishable(text, { secrets, tools, asked }).map((why) => `${where}: ${why}`),
        ),
        ...findLogFaults(log),
      ],
    };
    for (const [name, text] of Object.entries(toReport(row, result)))
      await writeFile(join(place, name), text);
    return row;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
