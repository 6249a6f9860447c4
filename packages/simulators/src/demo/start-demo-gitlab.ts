import { type GitLabSimulator, type SimulatedGitLabThread, startGitLabSimulator } from '../gitlab/index.ts';
import type { DemoForge, DemoThread, ForgeSecrets } from './demo-forge.ts';
import { demoAccounts, demoFiles, demoIssue, demoRepository } from './demo-project.ts';
import { createProgressRecord } from './headings-of.ts';

/** Starts the simulated GitLab. */
export async function startDemoGitLab({ token, secret }: ForgeSecrets): Promise<DemoForge> {
  const { reporter, colleague, robot } = demoAccounts;
  const progress = createProgressRecord(robot);
  const simulator: GitLabSimulator = await startGitLabSimulator({
    onRequest: () => progress.add(view(simulator.thread(project, reference))),
  });
  for (const username of [reporter, colleague]) simulator.addUser({ username });
  simulator.addUser({ username: robot, bot: true });
  simulator.addToken({ token, username: robot });
  const { path: project } = demoRepository;
  const members = { [reporter]: 'developer', [colleague]: 'developer', [robot]: 'developer' } as const;
  await simulator.addProject({ path: project, files: demoFiles, members });
  const { comment, body: description, ...asked } = demoIssue;
  const { reference } = simulator.openIssue({ project, author: reporter, description, ...asked });
  simulator.note({ project, reference, author: colleague, body: comment });
  return {
    name: 'gitlab',
    title: 'GitLab',
    changeRequestWord: 'merge request',
    url: simulator.url,
    configuration: {
      base_url: simulator.url,
      token_env: 'GITLAB_TOKEN',
      projects: [project],
      // The real GitLab counts what is written in a minute; the simulated one has nobody to spare.
      write_spacing_ms: 0,
    },
    environment: { GITLAB_TOKEN: token, GITLAB_WEBHOOK_TOKEN: secret },
    requests: () => simulator.requests,
    issue: () => view(simulator.thread(project, reference)),
    progress: progress.versions,
    comment: (author, body) => {
      const { id: noteId } = simulator.note({ project, reference, author, body });
      return simulator.composeDelivery({ project, event: 'note', action: 'create', noteId }, secret);
    },
    changeRequests: () =>
      simulator
        .threads(project)
        .map(view)
        .filter(({ changeRequest }) => changeRequest !== null),
    gitDirectory: simulator.gitDirectory(project),
    close: simulator.close,
  };
}

/** What GitLab itself notes on a thread is left out, as it is on the page when one looks at comments only. */
function view({ notes, mergeRequest, ...thread }: SimulatedGitLabThread): DemoThread {
  return {
    ...thread,
    number: thread.iid,
    body: thread.description,
    comments: notes
      .filter(({ system }) => !system)
      .map(({ author, body, awards }) => ({
        author,
        body,
        isSeen: awards.some((one) => one.author === demoAccounts.robot && one.name === 'eyes'),
      })),
    changeRequest:
      mergeRequest === null
        ? null
        : { head: mergeRequest.source, base: mergeRequest.target, draft: mergeRequest.draft },
  };
}
