import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type GitHubSimulator,
  type GitHubSimulatorOptions,
  type SimulatedRequest,
  startGitHubSimulator,
} from '@agent/simulators/github';
import {
  type Script,
  type ScriptedModel,
  startScriptedModel,
  withFinalSummaries,
} from '@agent/simulators/model';
import { stringify } from 'yaml';

export const repository = 'acme/shop';
export const token = 'ghp_ThisIsTheTokenOfTheRobotInBenches001';

/** A small project with a bug that its test shows. */
const projectFiles = {
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

/** A GitHub, a model and a daemon's directory, on loopback. */
export interface World {
  readonly gitHub: GitHubSimulator;
  readonly model: ScriptedModel;
  readonly directory: string;
  readonly configFile: string;
  /** Opens an issue that waits for the agent; returns its number. */
  readonly openIssue: (title: string) => number;
  readonly close: () => Promise<void>;
}

export interface WorldOptions {
  readonly script: Script;
  readonly concurrency?: number;
  readonly pollIntervalSeconds?: number;
  /** Told of every request to GitHub before its answer leaves. */
  readonly onRequest?: (request: SimulatedRequest) => void;
  /** Tokens that the model takes; default: what the daemon takes for granted. */
  readonly contextLength?: number;
  /** Sections of the daemon's configuration beside those of the world. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The model's answer waits for it. */
  readonly onModelCall?: () => Promise<void>;
  /** GitHub's clock and limits; default: the real clock, and no limits per minute. */
  readonly simulator?: Pick<GitHubSimulatorOptions, 'now' | 'secondaryLimits'>;
  /** Milliseconds between two writes; default 0, null for the daemon's own default. */
  readonly writeSpacingMs?: number | null;
}

/** Starts what a daemon needs around it. GitHub's limits per minute are lifted: a bench packs an hour into seconds. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const { script, onModelCall, onRequest = () => {} } = options;
  const unlimited = 1_000_000;
  const secondaryLimits = {
    pointsPerMinute: unlimited,
    contentPerMinute: unlimited,
    contentPerHour: unlimited,
  };
  const gitHub = await startGitHubSimulator({ secondaryLimits, onRequest, ...options.simulator });
  for (const login of ['acme', 'alice', 'bob', 'robot']) gitHub.addUser({ login });
  gitHub.addToken({ token, login: 'robot' });
  const collaborators = { robot: 'write', alice: 'write' } as const;
  await gitHub.addRepository({ owner: 'acme', name: 'shop', files: projectFiles, collaborators });
  const model = await startScriptedModel({
    script: withFinalSummaries(script),
    ...(onModelCall === undefined ? {} : { onRequest: onModelCall }),
  });
  const directory = await mkdtemp(join(tmpdir(), 'daemon-bench-'));
  const configFile = join(directory, 'agent.config.yaml');
  await writeFile(configFile, stringify(toConfig({ gitHub, model, options })));
  return {
    gitHub,
    model,
    directory,
    configFile,
    openIssue: (title) =>
      gitHub.openIssue({ repo: repository, author: 'alice', title, body, labels: ['coding agent'] }).number,
    close: async () => {
      await Promise.all([gitHub.close(), model.close()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const body = 'The total forgets the quantity of each line.';

function toConfig(parts: { gitHub: GitHubSimulator; model: ScriptedModel; options: WorldOptions }): object {
  const { gitHub, model, options } = parts;
  const { writeSpacingMs = 0 } = options;
  const spacing = writeSpacingMs === null ? {} : { write_spacing_ms: writeSpacingMs };
  return {
    platforms: { github: { base_url: gitHub.url, repositories: [repository], ...spacing } },
    llm: {
      base_url: model.baseUrl,
      model: 'scripted-model',
      api: 'responses',
      max_retries: 0,
      context_length: options.contextLength ?? null,
    },
    poll_interval_seconds: options.pollIntervalSeconds ?? 60,
    concurrency: options.concurrency ?? 2,
    planning: { enabled: false },
    // It measures the daemon, on machines without bubblewrap too.
    tools: { run_command: { allow: ['node'], sandbox: 'off', allow_root: true } },
    ...options.config,
  };
}
