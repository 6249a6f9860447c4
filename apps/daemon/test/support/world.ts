import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GitHubSimulator, SimulatedThread } from '@agent/simulators/github';
import {
  type ConversationView,
  type ModelRequest,
  type Script,
  type ScriptedModel,
  type ScriptedSummary,
  startScriptedModel,
  withFinalSummaries,
} from '@agent/simulators/model';
import { stringify } from 'yaml';
import { type Forge, type ForgeName, repository } from './forge.ts';
import { type GitHubForge, gitHubToken, startGitHubForge } from './github-forge.ts';
import { startGitLabForge } from './gitlab-forge.ts';
import { isNoStatusComment } from './status-comments.ts';
import { createPlaceInDatabase, isOnPostgres, openWorldRuns, type WorldRuns } from './world-runs.ts';

export { gitHubToken as token, repository };

/** A small project with a bug: `total` forgets the quantity, and its test says so. */
export const projectFiles: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "shop", "type": "module", "private": true }\n',
  'total.js': 'export const total = (lines) => lines.reduce((sum, line) => sum + line.price, 0);\n',
  'total.test.js': [
    "import { test } from 'node:test';",
    "import assert from 'node:assert/strict';",
    "import { total } from './total.js';",
    "test('counts quantities', () => assert.equal(total([{ price: 2, quantity: 3 }]), 6));",
    '',
  ].join('\n'),
};

/** Everything that one end-to-end test needs, on loopback. */
export interface World {
  /** The first forge; with one alone, that one. */
  readonly forge: Forge;
  readonly forges: readonly Forge[];
  /** The simulated GitHub itself. Throws where there is none. */
  readonly gitHub: GitHubSimulator;
  readonly model: ScriptedModel;
  /** Holds configuration, contexts and workspaces of the daemon. */
  readonly directory: string;
  readonly configFile: string;
  /** A thread of the simulated GitHub, without status comments. */
  readonly thread: (number: number) => SimulatedThread;
  readonly runs: WorldRuns;
  readonly close: () => Promise<void>;
}

export interface WorldOptions {
  readonly script: Script;
  /** The final summaries of runs. Default: what was said last. */
  readonly summarize?: (view: ConversationView) => ScriptedSummary;
  /** Default: GitHub alone. */
  readonly forges?: readonly ForgeName[];
  readonly api?: 'responses' | 'chat';
  /** Sections of the configuration that differ from the test's own. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Keys of the sections of all forges that differ. */
  readonly section?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>> | null;
  /** False: the robot may write on threads but not push. Default true. */
  readonly robotMayPush?: boolean;
  /** Keys of the section `llm` that differ. */
  readonly llm?: Readonly<Record<string, unknown>>;
  readonly onModelRequest?: (request: ModelRequest) => void | Promise<void>;
  /** Told of every request to a forge (`POST /path`) when its effect is done; the answer waits for it. */
  readonly onForgeRequest?: (label: string) => void | Promise<void>;
  /** The clock of the forges. Default: the real one. */
  readonly now?: () => number;
}

const startForge = { github: startGitHubForge, gitlab: startGitLabForge };

/** Starts each forge with one repository, a robot and two people, and a model that follows a script. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const { script, onModelRequest, forges: names = ['github'], files = projectFiles, robotMayPush } = options;
  const forges = await Promise.all(
    names.map((name) =>
      startForge[name]({ files, robotMayPush, onRequest: options.onForgeRequest, now: options.now }),
    ),
  );
  const [forge] = forges;
  if (forge === undefined) throw new Error('a world has at least one forge');
  const model = await startScriptedModel({
    script: withFinalSummaries(script, options.summarize),
    ...(onModelRequest ? { onRequest: onModelRequest } : {}),
  });
  const directory = await mkdtemp(join(tmpdir(), 'daemon-world-'));
  const configFile = join(directory, 'agent.config.yaml');
  const place = isOnPostgres ? await createPlaceInDatabase() : null;
  await writeFile(configFile, stringify({ ...place?.config, ...toConfig(options, { forges, model }) }));
  if (place !== null)
    await writeFile(join(directory, '.env'), `DATABASE_URL=${place.environment.DATABASE_URL}\n`);
  const runs = openWorldRuns({ configFile, directory });
  const isGitHub = (one: Forge): one is GitHubForge => one.name === 'github';
  const gitHub = (): GitHubSimulator => {
    const found = forges.find(isGitHub);
    if (found === undefined) throw new Error('there is no GitHub in this world');
    return found.simulator;
  };
  return {
    forge,
    forges,
    get gitHub() {
      return gitHub();
    },
    model,
    directory,
    configFile,
    runs,
    thread: (number) => {
      const thread = gitHub().thread(repository, number);
      return { ...thread, comments: thread.comments.filter(isNoStatusComment) };
    },
    close: async () => {
      await Promise.all([...forges.map(({ shutDown }) => shutDown()), model.close(), runs.close()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function toConfig(
  options: WorldOptions,
  parts: { readonly forges: readonly Forge[]; readonly model: ScriptedModel },
): object {
  const { forges, model } = parts;
  const endpoint = { base_url: model.baseUrl, model: 'scripted-model', api: options.api ?? 'responses' };
  return {
    platforms: Object.fromEntries(
      forges.map(({ name, config }) => [name, { ...config, ...options.section }]),
    ),
    llm: { ...endpoint, max_retries: 0, ...options.llm },
    poll_interval_seconds: 1,
    // These tests run everywhere, as root too; those that are about the sandbox ask for it.
    tools: { run_command: { allow: ['node'], sandbox: 'off', allow_root: true } },
    // Its barrier waits out a second between two looks; tests of hearing switch it on.
    comment_detection: { enabled: false },
    // Most of them are about the work itself; those of planning mode switch it on.
    planning: { enabled: false },
    ...options.config,
  };
}
