import type { GitHubSimulator } from '@agent/platforms/simulators';
import { startGitHubSimulator } from '@agent/platforms/simulators';
import { demoAccounts, demoFiles, demoIssue, demoRepository } from './demo-project.ts';

export interface DemoWorld {
  readonly gitHub: GitHubSimulator;
  readonly issueNumber: number;
}

/** Starts the simulated GitHub with the shop's repository, the people, and the issue that waits for the agent. */
export async function startWorld(token: string): Promise<DemoWorld> {
  const gitHub = await startGitHubSimulator();
  const { owner, reporter, colleague, robot } = demoAccounts;
  for (const login of [owner, reporter, colleague]) gitHub.addUser({ login });
  gitHub.addUser({ login: robot, type: 'Bot' });
  gitHub.addToken({ token, login: robot });
  const { path: repo, name } = demoRepository;
  const collaborators = { [reporter]: 'write', [colleague]: 'write', [robot]: 'write' } as const;
  await gitHub.addRepository({ owner, name, files: demoFiles, collaborators });
  const { title, body, comment } = demoIssue;
  const issue = gitHub.openIssue({ repo, author: reporter, title, body, labels: ['bug', 'coding agent'] });
  gitHub.comment({ repo, number: issue.number, author: colleague, body: comment });
  return { gitHub, issueNumber: issue.number };
}
