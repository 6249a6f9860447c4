import { type GitHubSimulator, type SimulatedThread, startGitHubSimulator } from '../github/index.ts';
import type { DemoForge, DemoThread, ForgeSecrets } from './demo-forge.ts';
import { demoAccounts, demoFiles, demoIssue, demoRepository } from './demo-project.ts';
import { createProgressRecord } from './headings-of.ts';

/** The simulated GitHub, and the means to play reviewers and CI there. */
export interface DemoGitHub extends DemoForge {
  readonly simulator: GitHubSimulator;
}

/** Starts the simulated GitHub. */
export async function startDemoGitHub({ token, secret }: ForgeSecrets): Promise<DemoGitHub> {
  const { owner, reporter, colleague, robot } = demoAccounts;
  const progress = createProgressRecord(robot);
  const simulator: GitHubSimulator = await startGitHubSimulator({
    onRequest: () => progress.add(simulator.thread(repo, number)),
  });
  for (const login of [owner, reporter, colleague]) simulator.addUser({ login });
  simulator.addUser({ login: robot, type: 'Bot' });
  simulator.addToken({ token, login: robot });
  const { path: repo, name } = demoRepository;
  const collaborators = { [reporter]: 'write', [colleague]: 'write', [robot]: 'write' } as const;
  await simulator.addRepository({ owner, name, files: demoFiles, collaborators });
  const { comment, ...asked } = demoIssue;
  const { number } = simulator.openIssue({ repo, author: reporter, ...asked });
  simulator.comment({ repo, number, author: colleague, body: comment });
  return {
    name: 'github',
    title: 'GitHub',
    changeRequestWord: 'pull request',
    url: simulator.url,
    configuration: {
      base_url: simulator.url,
      token_env: 'GITHUB_TOKEN',
      repositories: [repo],
      // The real GitHub wants pauses between writes; the simulated one does not.
      write_spacing_ms: 0,
    },
    environment: { GITHUB_TOKEN: token, GITHUB_WEBHOOK_SECRET: secret },
    requests: () => simulator.requests,
    issue: () => view(simulator.thread(repo, number)),
    progress: progress.versions,
    comment: (author, body) => {
      const { id: commentId } = simulator.comment({ repo, number, author, body });
      return simulator.composeDelivery(
        { repo, event: 'issue_comment', action: 'created', commentId },
        secret,
      );
    },
    changeRequests: () =>
      simulator
        .threads(repo)
        .map(view)
        .filter(({ changeRequest }) => changeRequest !== null),
    gitDirectory: simulator.gitDirectory(repo),
    close: simulator.close,
    simulator,
  };
}

function view({ pullRequest, ...thread }: SimulatedThread): DemoThread {
  const comments = thread.comments.map(({ author, body, reactions }) => ({
    author,
    body,
    isSeen: reactions.some((one) => one.author === demoAccounts.robot && one.content === 'eyes'),
  }));
  return { ...thread, comments, reference: `#${thread.number}`, changeRequest: pullRequest };
}
