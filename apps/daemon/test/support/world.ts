import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type GitHubSimulator,
  type SimulatedThread,
  startGitHubSimulator,
} from '@agent/platforms/simulators';
import { type Script, type ScriptedModel, startScriptedModel } from 'example-scripted-model';
import { stringify } from 'yaml';

export const repository = 'acme/shop';
export const token = 'ghp_ThisIsTheTokenOfTheRobotInTests0001';

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
  readonly gitHub: GitHubSimulator;
  readonly model: ScriptedModel;
  /** Holds configuration, contexts and workspaces of the daemon. */
  readonly directory: string;
  readonly configFile: string;
  readonly thread: (number: number) => SimulatedThread;
  readonly close: () => Promise<void>;
}

export interface WorldOptions {
  readonly script: Script;
  readonly api?: 'responses' | 'chat';
  /** Sections of the configuration that differ from the test's own. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>> | null;
  /** Keys of the section `llm` that differ. */
  readonly llm?: Readonly<Record<string, unknown>>;
  readonly onModelRequest?: () => void | Promise<void>;
}

/** Starts a GitHub with one repository, a robot and two people, and a model that follows a script. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const gitHub = await startGitHubSimulator();
  for (const login of ['acme', 'alice', 'bob']) gitHub.addUser({ login });
  gitHub.addUser({ login: 'robot' });
  gitHub.addToken({ token, login: 'robot' });
  const files = options.files === undefined ? projectFiles : options.files;
  await gitHub.addRepository({
    owner: 'acme',
    name: 'shop',
    files,
    collaborators: { robot: 'write', alice: 'write' },
  });
  const { script, onModelRequest } = options;
  const model = await startScriptedModel({
    script,
    ...(onModelRequest ? { onRequest: onModelRequest } : {}),
  });
  const directory = await mkdtemp(join(tmpdir(), 'daemon-world-'));
  const configFile = join(directory, 'agent.config.yaml');
  await writeFile(configFile, stringify(toConfig({ gitHub, model, options })));
  return {
    gitHub,
    model,
    directory,
    configFile,
    thread: (number) => gitHub.thread(repository, number),
    close: async () => {
      await Promise.all([gitHub.close(), model.close()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function toConfig(parts: { gitHub: GitHubSimulator; model: ScriptedModel; options: WorldOptions }): object {
  const { gitHub, model, options } = parts;
  const endpoint = { base_url: model.baseUrl, model: 'scripted-model', api: options.api ?? 'responses' };
  return {
    platforms: { github: { base_url: gitHub.url, repositories: [repository], write_spacing_ms: 0 } },
    llm: { ...endpoint, max_retries: 0, ...options.llm },
    poll_interval_seconds: 1,
    tools: { run_command: { allow: ['node'] } },
    ...options.config,
  };
}
