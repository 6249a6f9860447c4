import type { GitHubSimulator } from '@agent/platforms/simulators';
import type { Script } from 'example-scripted-model';
import { answerScript } from '../support/fix-script.ts';
import { projectFiles, repository, startWorld, type World } from '../support/world.ts';
import { appendProgram, carefulScript } from './careful-script.ts';

/** Work that the daemon is killed at. */
export interface Scenario {
  readonly name: string;
  readonly api: 'responses' | 'chat';
  readonly script: Script;
  readonly sandbox: 'auto' | 'off';
  readonly openThreads: (gitHub: GitHubSimulator) => Promise<void>;
}

const label = 'coding agent';

function openIssue(gitHub: GitHubSimulator, title: string): void {
  gitHub.openIssue({
    repo: repository,
    author: 'alice',
    title,
    body: 'It forgets the quantity.',
    labels: [label],
  });
}

async function openPullRequest(gitHub: GitHubSimulator): Promise<void> {
  await gitHub.openPullRequest({
    repo: repository,
    author: 'alice',
    title: 'Count quantities',
    body: 'The quantity is missing.',
    labels: ['bug', label],
    headBranch: 'alice/total',
    files: { 'NOTES.md': 'Alice was here.\n' },
  });
}

export const issue: Scenario = {
  name: 'an issue',
  api: 'responses',
  script: carefulScript,
  sandbox: 'auto',
  openThreads: async (gitHub) => openIssue(gitHub, 'The total is wrong'),
};

export const pullRequest: Scenario = {
  name: "a pull request's own task",
  api: 'chat',
  script: carefulScript,
  sandbox: 'off',
  openThreads: openPullRequest,
};

export const several: Scenario = {
  name: 'two issues and a pull request at once',
  api: 'responses',
  script: carefulScript,
  sandbox: 'off',
  openThreads: async (gitHub) => {
    openIssue(gitHub, 'The total is wrong');
    openIssue(gitHub, '合計が違います');
    await openPullRequest(gitHub);
  },
};

const question: Scenario = {
  name: 'an issue that needs no change',
  api: 'chat',
  script: answerScript,
  sandbox: 'auto',
  openThreads: async (gitHub) => openIssue(gitHub, 'How does it work?'),
};

export const scenarios = [issue, pullRequest, several, question] as const;

/** A world with the scenario's threads in it, and nobody at work yet; `files` take the place of the repository's own. */
export async function openScenario(
  scenario: Scenario,
  files: Readonly<Record<string, string>> = {},
): Promise<World> {
  const world = await startWorld({
    script: scenario.script,
    api: scenario.api,
    files: { ...projectFiles, 'append.js': appendProgram, ...files },
    config: { tools: { run_command: { allow: ['node'], sandbox: scenario.sandbox } } },
  });
  await scenario.openThreads(world.gitHub);
  return world;
}
