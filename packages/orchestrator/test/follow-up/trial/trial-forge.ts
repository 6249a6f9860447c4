import { execFileSync } from 'node:child_process';
import { createGitHubPlatform } from '@agent/platforms/github';
import { createGitLabPlatform } from '@agent/platforms/gitlab';
import { startGitHubSimulator } from '@agent/simulators/github';
import { startGitLabSimulator } from '@agent/simulators/gitlab';

const repo = 'owner/demo';
export const token = 'agent-token-of-the-trials';
/** File whose sum is wrong. */
export const path = 'src/sum.js';
export const waitingLabel = 'agent';

const files = { 'README.md': '# Demo\n', [path]: 'export const sum = (a, b) => a - b;\n' };
const people = ['owner', 'agent', 'alice', 'stranger'] as const;

/** Somebody of the trial: `alice` may steer, `stranger` may not. */
export type Person = 'alice' | 'stranger';

type GitHubCi = Awaited<ReturnType<typeof startGitHubSimulator>>['ci'];
type CiScript = NonNullable<Parameters<GitHubCi['answer']>[1]>;
type Connection = Required<Pick<Parameters<typeof createGitHubPlatform>[0], 'now' | 'fetch' | 'sleep'>>;

/** Review thread as the forge has it. */
export interface ForgeThread {
  readonly outdated: boolean;
  readonly resolvedBy: string | null;
  readonly comments: readonly { readonly author: string; readonly body: string }[];
}

/** A simulated forge with one issue, as a trial plays and judges it: all that it says comes from the simulator's own records. */
export interface TrialForge {
  readonly name: 'github' | 'gitlab';
  readonly openPlatform: (connection: Connection) => ReturnType<typeof createGitHubPlatform>;
  readonly answerCi: (script: CiScript) => Promise<void>;
  /** States of the checks of a commit. */
  readonly checks: (sha: string) => readonly string[];
  /** Branch of the one change request; null before it is there. */
  readonly branch: () => string | null;
  readonly changeRequests: () => number;
  readonly commentOnLine: (author: Person, body: string) => Promise<unknown>;
  readonly requestChanges: (author: Person, body: string) => Promise<unknown>;
  readonly approve: (author: Person) => unknown;
  readonly say: (author: Person, body: string) => void;
  readonly push: (push: {
    readonly branch: string;
    readonly files: Readonly<Record<string, string>>;
    readonly force?: 'amend' | 'reset';
  }) => Promise<string>;
  readonly threads: () => readonly ForgeThread[];
  /** Comments of the issue, oldest first. */
  readonly comments: () => readonly { readonly author: string | null; readonly body: string }[];
  readonly git: (...args: readonly string[]) => string;
  readonly close: () => Promise<void>;
}

const issue = { title: 'The sum is wrong', labels: [waitingLabel], author: 'owner' } as const;
const wish = 'Please repair it.';

function readGit(directory: string, args: readonly string[]): string {
  return execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Starts a GitHub. */
export async function startGitHubTrial(now: () => number): Promise<TrialForge> {
  const unlimited = { pointsPerMinute: 1e6, contentPerMinute: 1e6, contentPerHour: 1e6 };
  const simulator = await startGitHubSimulator({ now, secondaryLimits: unlimited });
  for (const login of people) simulator.addUser({ login });
  simulator.addToken({ token, login: 'agent' });
  const collaborators = { agent: 'write', alice: 'write' } as const;
  await simulator.addRepository({ owner: 'owner', name: 'demo', collaborators, files });
  const { number } = simulator.openIssue({ repo, ...issue, body: wish });
  const pulls = () => simulator.threads(repo).filter(({ pullRequest }) => pullRequest !== null);
  const pull = () => pulls()[0]?.number ?? 0;
  const place = { path, line: 1 };
  return {
    name: 'github',
    openPlatform: (connection) =>
      createGitHubPlatform({
        ...{ token, baseUrl: simulator.url, repositories: [repo], writeSpacingMs: 0, recheckDelayMs: 0 },
        ...connection,
      }),
    answerCi: (script) => simulator.ci.answer(repo, script),
    checks: (sha) => simulator.ci.checks(repo, sha).map(({ state }) => state),
    branch: () => pulls()[0]?.pullRequest?.head ?? null,
    changeRequests: () => pulls().length,
    commentOnLine: (author, body) =>
      simulator.reviews.comment({ repo, number: pull(), author, body, ...place }),
    requestChanges: (author, body) =>
      simulator.reviews.submit({
        ...{ repo, number: pull(), author, event: 'REQUEST_CHANGES', body: 'Not yet.' },
        comments: [{ ...place, body }],
      }),
    approve: (author) => simulator.reviews.submit({ repo, number: pull(), author, event: 'APPROVE' }),
    say: (author, body) => void simulator.comment({ repo, number: pull(), author, body }),
    push: (push) => simulator.push({ repo, author: 'alice', ...push }),
    threads: () =>
      simulator.reviews
        .threads(repo, pull())
        .map(({ isOutdated: outdated, resolvedBy, comments }) => ({ outdated, resolvedBy, comments })),
    comments: () => simulator.thread(repo, number).comments,
    git: (...args) => readGit(simulator.gitDirectory(repo), args),
    close: simulator.close,
  };
}

/** Starts a GitLab. */
export async function startGitLabTrial(now: () => number): Promise<TrialForge> {
  const simulator = await startGitLabSimulator({ now, notesPerMinute: 1e6 });
  for (const username of people) simulator.addUser({ username });
  simulator.addToken({ token, username: 'agent' });
  const members = { agent: 'developer', alice: 'maintainer' } as const;
  await simulator.addProject({ path: repo, visibility: 'public', members, files });
  const { reference } = simulator.openIssue({ project: repo, ...issue, description: wish });
  const requests = () => simulator.threads(repo).filter(({ mergeRequest }) => mergeRequest !== null);
  const request = () => requests()[0]?.reference ?? '!1';
  const place = { path, line: 1 };
  return {
    name: 'gitlab',
    openPlatform: (connection) =>
      createGitLabPlatform({
        ...{ token, baseUrl: simulator.url, projects: [repo], writeSpacingMs: 0, recheckDelayMs: 0 },
        ...{ maxRequestsPerMinute: 1e6, ...connection },
      }),
    answerCi: (script) => simulator.ci.answer(repo, script),
    checks: (sha) => simulator.ci.checks(repo, sha).map(({ state }) => state),
    branch: () => requests()[0]?.mergeRequest?.source ?? null,
    changeRequests: () => requests().length,
    commentOnLine: (author, body) =>
      simulator.reviews.comment({ project: repo, reference: request(), author, body, ...place }),
    requestChanges: async (author, body) => {
      await simulator.reviews.comment({ project: repo, reference: request(), author, body, ...place });
      simulator.reviews.requestChanges(repo, request(), author);
    },
    approve: (author) => simulator.reviews.approve(repo, request(), author),
    say: (author, body) => void simulator.note({ project: repo, reference: request(), author, body }),
    push: (push) => simulator.push({ project: repo, author: 'alice', ...push }),
    threads: () =>
      simulator.reviews
        .threads(repo, request())
        .map(({ isOutdated: outdated, resolvedBy, notes }) => ({ outdated, resolvedBy, comments: notes })),
    comments: () => simulator.thread(repo, reference).notes,
    git: (...args) => readGit(simulator.gitDirectory(repo), args),
    close: simulator.close,
  };
}
