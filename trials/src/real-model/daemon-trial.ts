import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type DemoForge, type DemoThread, prepareDemonstration } from '@agent/simulators/demo';
import { demoAccounts, headingsOf } from '@agent/simulators/demo/parts';
import { endWithin, startApp } from './app-process.ts';
import { checkDaemonRun } from './check-daemon-run.ts';
import type { Published, TrialOptions, TrialResult } from './trial.ts';

/** Time for one run; a model on a busy machine takes minutes for a prompt. */
const patienceMs = 45 * 60_000;

/** Has the real daemon work on the issue of the demonstration: odd seeds on a simulated GitHub, even ones on a GitLab. */
export async function runDaemonTrial(options: TrialOptions): Promise<TrialResult> {
  const { seed, model, baseUrl, window, directory } = options;
  const demonstration = await prepareDemonstration({
    forge: seed % 2 === 0 ? 'gitlab' : 'github',
    model: { kind: 'endpoint', baseUrl, model, api: 'chat', hasKey: false },
  });
  try {
    const { forge, environment } = demonstration;
    const base = demonstration.configuration as { readonly llm: object };
    const configuration = { ...base, llm: { ...base.llm, context_length: window } };
    const config = join(directory, 'agent.config.yaml');
    await writeFile(config, JSON.stringify(configuration));
    const daemon = startApp({
      ...{ entry: 'apps/daemon/src/main.ts', directory },
      flags: ['run', '--once', '--config', config, '--log-format', 'json'],
      environment: { ...environment },
      onLine: demonstration.daemonSays,
    });
    const exitCode = await endWithin(daemon, patienceMs);
    const runs = await listRuns(join(directory, 'contexts'));
    const recorded = await Promise.all(runs.map(readOutcome));
    const branches = await listBranches(forge.gitDirectory);
    const problems = checkDaemonRun({
      recorded,
      exitCode,
      labels: forge.issue().labels.filter((label) => label.startsWith('coding agent')),
      headings: headingsOf(forge.issue(), demoAccounts.robot),
      hasChanged: branches.some(({ diff }) => diff !== ''),
    });
    return {
      summary: recorded.map((one) => one ?? 'no end').join(', ') || 'no run',
      published: [
        ...listTexts(forge),
        ...branches.flatMap(({ name, log }) => toPublished(`commits of ${name}`, log)),
      ],
      log: daemon.lines,
      problems,
      // The code of the envelopes is for the model alone.
      secrets: [...Object.values(environment), ...(await readNonces(runs))],
    };
  } finally {
    await demonstration.close();
  }
}

async function listRuns(contexts: string): Promise<readonly string[]> {
  const places = ['running', 'paused', 'completed'].map((name) => join(contexts, name));
  const runs = await Promise.all(
    places.map(async (place) => (await readdir(place).catch(() => [])).map((name) => join(place, name))),
  );
  return runs.flat();
}

async function readOutcome(run: string): Promise<string | null> {
  const found = await readFile(join(run, 'outcome.json'), 'utf8').catch(() => '{}');
  return (JSON.parse(found) as { status?: string }).status ?? null;
}

async function readNonces(runs: readonly string[]): Promise<readonly string[]> {
  const found = runs.map((run) => readFile(join(run, 'envelope_nonce'), 'utf8').catch(() => ''));
  return (await Promise.all(found)).map((nonce) => nonce.trim()).filter((nonce) => nonce !== '');
}

const git = promisify(execFile);

async function listBranches(directory: string) {
  const inGit = async (...args: readonly string[]): Promise<string> =>
    (await git('git', ['-C', directory, ...args], { maxBuffer: 2 ** 26 })).stdout.trim();
  const names = (await inGit('for-each-ref', '--format=%(refname:short)', 'refs/heads')).split('\n');
  return Promise.all(
    names
      .filter((name) => name !== 'main' && name !== '')
      .map(async (name) => ({
        name,
        diff: await inGit('diff', `main...${name}`),
        log: await inGit('log', '--format=%B', `main..${name}`),
      })),
  );
}

/** Everything that the agent wrote on the platform, each version of its status comment included. */
function listTexts(forge: DemoForge): readonly Published[] {
  const ofThread = (thread: DemoThread): readonly Published[] =>
    thread.comments.flatMap(({ author, body }, index) =>
      author === demoAccounts.robot ? toPublished(`${thread.reference} comment ${index + 1}`, body) : [],
    );
  return [
    ...ofThread(forge.issue()),
    ...forge.progress().map((text, index) => ({ place: `status comment, version ${index + 1}`, text })),
    ...forge
      .changeRequests()
      .flatMap((request) => [
        ...toPublished(`title of ${request.reference}`, request.title),
        ...toPublished(`description of ${request.reference}`, request.body ?? ''),
        ...ofThread(request),
      ]),
  ];
}

function toPublished(place: string, text: string): readonly Published[] {
  return text === '' ? [] : [{ place, text }];
}
