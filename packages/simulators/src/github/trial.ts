import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Octokit } from '@octokit/rest';
import { runGit } from '../shared/git/run-git.ts';
import type { GitHubSimulator, GitHubSimulatorOptions } from './github-simulator.ts';
import { startGitHubSimulator } from './start-github-simulator.ts';

/** A simulator with a few people and one repository, for this folder's own tests. */
export interface Trial {
  readonly simulator: GitHubSimulator;
  /** The real Octokit with this token; none for somebody unknown. */
  readonly octokit: (token?: string) => Octokit;
  /** Moves the server's clock. */
  readonly pass: (milliseconds: number) => void;
  /** Runs the real git in a folder of its own; rejects with what it said. */
  readonly git: (...args: readonly string[]) => Promise<string>;
  /** That folder. */
  readonly folder: string;
  /** Address of the repository for git, with a token in it. */
  readonly remote: (token?: string, repo?: string) => string;
  readonly close: () => Promise<void>;
}

/** `owner/demo` of `owner`, with `agent` (write, token `agent-token`), `alice` (triage) and `stranger`. */
export const repository = { owner: 'owner', repo: 'demo' } as const;
export const repositoryName = 'owner/demo';

/** Starts at 2024-05-01T00:00:00Z. */
export async function startTrial(options: GitHubSimulatorOptions = {}): Promise<Trial> {
  let now = Date.UTC(2024, 4, 1);
  const simulator = await startGitHubSimulator({ now: () => now, ...options });
  for (const login of ['owner', 'agent', 'alice', 'stranger']) {
    simulator.addUser({ login });
    simulator.addToken({ token: `${login}-token`, login });
  }
  await simulator.addRepository({
    owner: 'owner',
    name: 'demo',
    collaborators: { agent: 'write', alice: 'triage' },
    files: { 'README.md': '# Demo\n', 'src/sum.js': 'export const sum = (a, b) => a - b;\n' },
  });
  const folder = await mkdtemp(join(tmpdir(), 'github-trial-'));
  const { host } = new URL(simulator.url);
  const clients = new Map<string | undefined, Octokit>();
  return {
    simulator,
    folder,
    octokit: (token) => {
      const client =
        clients.get(token) ??
        new Octokit({ baseUrl: simulator.url, log: silent, ...(token ? { auth: token } : {}) });
      clients.set(token, client);
      return client;
    },
    pass: (milliseconds) => {
      now += milliseconds;
    },
    git: (...args) => runGit(folder, args),
    remote: (token, repo = repositoryName) => `http://${token ? `user:${token}@` : ''}${host}/${repo}.git`,
    close: async () => {
      await simulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
