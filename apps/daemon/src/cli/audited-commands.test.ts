import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type AuditEntry, createAuditLog } from '@agent/orchestrator/watch';
import { createFileStorage } from '@agent/run-store/file';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runCommand } from '../../test/support/command.ts';
import { type KeptRuns, makeKeptRuns } from '../../test/support/kept-runs.ts';
import { createPlaceInDatabase } from '../../test/support/world-runs.ts';
import type { CommandIo } from './command-io.ts';
import { acceptCommand } from './commands/accept.ts';
import { budgetCommand } from './commands/budget.ts';
import { type ControlRequest, controlCommand } from './commands/control.ts';
import { eraseCommand } from './commands/erase.ts';
import { exportCommand } from './commands/export.ts';
import { labelsCommand } from './commands/labels.ts';
import { migrateCommand } from './commands/migrate.ts';
import { purgeCommand } from './commands/purge.ts';
import { storageCommand } from './commands/storage.ts';
import { tokenCommand } from './commands/token.ts';
import { commands } from './commands.ts';

const [ended, running] = [
  '11110000-0000-4000-8000-000000000001',
  '22220000-0000-4000-8000-000000000002',
] as const;
const [first, second] = ['acme/shop#1', 'acme/shop#2'];

const platforms = 'platforms: { github: { repositories: [acme/shop] } }\n';

let kept: KeptRuns;
beforeEach(async () => {
  kept = await makeKeptRuns('llm: { model: large, prices: { large: { input: 1, output: 4 } } }\n');
  await kept.add({ uuid: ended, number: 1, state: 'failed' });
  await kept.add({ uuid: running, number: 2, state: 'running' });
});
afterEach(() => kept.close());

type Act = (io: CommandIo, config: string) => Promise<number>;
type Row = Pick<AuditEntry, 'action' | 'target' | 'run' | 'outcome'>;

/** Acts of a command, each with its row; null for a command that only reads, or that begins before there is a storage. */
type Acts = Readonly<Record<string, readonly [Act, Partial<Row>]>> | null;

const control =
  (verb: ControlRequest['verb'], task: string | null, all = false): Act =>
  (io, config) =>
    controlCommand({ config, verb, task, all }, io);

const acts: Readonly<Record<string, Acts>> = {
  run: null,
  pause: {
    'pause a task': [control('pause', second), { action: 'pause', target: second, run: running }],
    'pause all tasks': [control('pause', null), { action: 'pause-all', target: null, run: null }],
  },
  resume: {
    'resume all tasks': [
      async (io, config) => {
        await control('pause', null)(io, config);
        return control('resume', null)(io, config);
      },
      { action: 'resume-all', target: null, run: null },
    ],
    'resume a task': [
      async (io, config) => {
        await control('pause', second)(io, config);
        return control('resume', second)(io, config);
      },
      { action: 'resume', target: second, run: running },
    ],
  },
  stop: {
    'stop a task': [control('stop', second), { action: 'stop', target: second, run: running }],
    'stop all tasks': [control('stop', null, true), { action: 'stop', target: second, run: running }],
  },
  retry: { 'retry a task': [control('retry', first), { action: 'retry', target: first, run: ended }] },
  // Needs an update that is open: the same function as the other verbs.
  settle: null,
  status: null,
  show: null,
  history: null,
  budget: {
    'set a budget': [
      (io, config) => budgetCommand({ config, task: first, set: '5' }, io),
      { action: 'budget', target: first },
    ],
    'clear a budget': [
      (io, config) => budgetCommand({ config, task: first, clear: true }, io),
      { action: 'budget-clear', target: first },
    ],
  },
  audit: null,
  accept: {
    'accept a repository that was not refused': [
      (io, config) => acceptCommand({ config, repository: 'acme/shop' }, io),
      { action: 'accept', target: 'acme/shop', outcome: 'refused' },
    ],
  },
  token: {
    'create a token': [
      (io, config) => tokenCommand({ config, name: 'alice', days: '9' }, io),
      { action: 'token-create', target: 'alice' },
    ],
    'revoke a token that nobody has': [
      (io, config) => tokenCommand({ config, name: 'bob', days: '9', revoke: true }, io),
      { action: 'token-revoke', target: 'bob', outcome: 'refused' },
    ],
  },
  export: {
    'export a run': [
      (io, config) => exportCommand({ config, task: first, output: join(kept.directory, 'run.html') }, io),
      { action: 'export', target: first, run: ended },
    ],
    'export a person': [
      (io, config) => exportCommand({ config, person: 'alice' }, io),
      { action: 'export', target: 'a person', run: null },
    ],
  },
  erase: {
    'erase a person': [
      (io, config) => eraseCommand({ config, person: 'alice', yes: true }, { io, prompt: null }),
      { action: 'erase', target: 'a person', run: null },
    ],
  },
  purge: {
    'delete the runs of a task': [
      (io, config) => purgeCommand({ config, task: first, yes: true }, { io, prompt: null }),
      { action: 'purge', target: first },
    ],
  },
  migrate: {
    'import runs': [
      (io, config) => migrateCommand({ config, directory: null, apply: true }, io),
      { action: 'migrate' },
    ],
  },
  storage: {
    'copy runs to another storage': [
      async (io, config) => {
        const place = await createPlaceInDatabase();
        await writeFile(config, `${platforms}${stringify(place.config)}`);
        const environment = { ...io.environment, ...place.environment };
        await storageCommand(
          { config, action: 'migrate', from: 'postgres', to: 'files' },
          { ...io, environment },
        );
        return 0;
      },
      { action: 'storage-migrate', target: 'postgres → files' },
    ],
  },
  doctor: null,
  // Keeps its runs in a directory of its own, which it removes.
  rehearse: null,
  labels: {
    'create labels on a platform that cannot be reached': [
      async (io, config) => {
        await writeFile(config, platforms.replace('{ repo', '{ base_url: "http://127.0.0.1:9", repo'));
        const environment = { ...io.environment, GITHUB_TOKEN: 'a-token-that-no-server-takes' };
        return labelsCommand({ config }, { ...io, environment });
      },
      { action: 'labels', target: null, outcome: 'refused' },
    ],
  },
  init: null,
  job: null,
  demo: null,
};

it('has a row, or a reason for none, for each command of the command line [NX-341]', () => {
  expect(Object.keys(acts)).toEqual(Object.keys(commands));
});

const listed = Object.values(acts).flatMap((some) => Object.entries(some ?? {}));

it.each(listed)(
  '%s is a row of the audit log with the account, the task and the result [NX-341]',
  async (_, [act, row]) => {
    await runCommand((io) => act(io, kept.configFile));
    const { notes } = createFileStorage({ baseDirectory: kept.contexts });
    const audit = createAuditLog(notes, { logger: { info: () => {} }, now: () => Date.parse('2026-01-02') });
    const [latest] = await audit.list({ limit: 1 });
    expect(latest).toMatchObject({ actor: userInfo().username, via: 'cli', outcome: 'accepted', ...row });
  },
);
