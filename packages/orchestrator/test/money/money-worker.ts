import { setTimeout as wait } from 'node:timers/promises';
import { createGitHubPlatform } from '@agent/platforms/github';
import { connectPostgres, createPostgresStorage } from '@agent/run-store/postgres';
import { createModel } from '@agent/runner/models';
import { llmSchema } from '@agent/runner/models/config';
import { parseRunSettings } from '../../src/config/index.ts';
import { createLabelTrigger, createOrchestrator } from '../../src/index.ts';
import { type Household, mostOutput, prices } from './draw-household.ts';

/** All that a process is started with, as JSON in its one argument. */
export interface MoneyWork extends Pick<Household, 'limits' | 'isPlanned'> {
  readonly directory: string;
  /** Null for files of the directory. */
  readonly database: { readonly url: string; readonly schema: string } | null;
  readonly forge: { readonly url: string; readonly repo: string; readonly token: string };
  readonly vendor: string;
  readonly labels: Readonly<
    Record<'waiting' | 'processing' | 'completed' | 'failed' | 'paused' | 'stopped', string>
  >;
  /** Milliseconds since 1970 at which the trial began, by the real clock and by that of the trial. */
  readonly began: { readonly real: number; readonly trial: number };
}

/** Times as fast as the real clock. */
const haste = 20;
/** Milliseconds for which a process of a database that says nothing counts as alive. */
const lease = { leaseMs: 1_500, renewMs: 300 };

const work = JSON.parse(process.argv[2] ?? '') as MoneyWork;
const { forge, labels, began, database } = work;
const now = () => began.trial + (Date.now() - began.real) * haste;
const sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
  await wait(Math.min(milliseconds / haste, 1_000), undefined, { signal }).catch(() => {});
};
const llm = {
  ...{ base_url: work.vendor, api: 'chat' as const, max_retries: 1 },
  models: { planning: ['planner', 'second'], work: ['first', 'second'], summary: ['clerk'] },
  prices: Object.fromEntries(
    Object.entries(prices).map(([name, output]) => [
      name,
      { input: output / 50, output, max_output_tokens: mostOutput },
    ]),
  ),
};
const platform = createGitHubPlatform({
  ...{ token: forge.token, baseUrl: forge.url, repositories: [forge.repo] },
  ...{ writeSpacingMs: 0, recheckDelayMs: 0, now, sleep },
});
const storage =
  database === null
    ? undefined
    : createPostgresStorage({
        ...{ database: await connectPostgres({ url: database.url }), schema: database.schema, now },
        ...lease,
      });
const say = (level: string) => (fields: object, message: string) => {
  const { err } = fields as { readonly err?: unknown };
  console.error(
    `${Math.round(Date.now() - began.real)} ${level} ${message}${err === undefined ? '' : `: ${String(err).slice(0, 200)}`}`,
  );
};
const logger = {
  debug: () => {},
  info: say('info'),
  warn: say('warn'),
  error: say('error'),
  child: () => logger,
};
const orchestrator = createOrchestrator({
  platforms: [{ platform, trigger: createLabelTrigger(platform, labels), gitToken: () => forge.token }],
  model: () => createModel(llmSchema.parse(llm), { environment: {}, directory: work.directory }),
  ...{ directory: work.directory, storage, now, sleep, logger, secrets: [forge.token] },
  ...{ concurrency: database === null ? 2 : 1, pollIntervalMs: 2_000 },
  settings: parseRunSettings({
    planning: { enabled: work.isPlanned, pre_planning: { enabled: false } },
    tools: { run_command: { sandbox: 'off', allow_root: true } },
    limits: { max_cost: work.limits, max_same_calls: 1_000 },
    llm: { prices: llm.prices, max_retries: 1 },
  }),
});
const isWhole = await orchestrator.run({ once: true });
await storage?.close();
process.exit(isWhole ? 0 : 3);
