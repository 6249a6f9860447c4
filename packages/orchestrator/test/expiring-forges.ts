import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskKey } from '@agent/platforms';
import { startGitHubSimulator } from '@agent/simulators/github';
import { startGitLabSimulator } from '@agent/simulators/gitlab';

/** The repository that the agent works on. */
export const repository = 'octo/hello';

/** A thread of people, as it stands now. */
export interface SeenThread {
  readonly labels: readonly string[];
  readonly comments: readonly { readonly author: string | null; readonly body: string }[];
}

/** A platform whose tokens end, as a run of some hours meets it. */
export interface ExpiringForge {
  readonly name: 'github' | 'gitlab';
  readonly url: string;
  readonly key: TaskKey;
  /** Section of the configuration, whose secret is in `secretFile` beside it. */
  readonly section: object;
  readonly secretFile: string;
  /** Username of the agent. */
  readonly agent: string;
  /** Gives the next token where the platform does not give it by itself: GitLab's is rotated. */
  readonly renew: () => Promise<void>;
  /** Puts the token out of force before its end. */
  readonly revoke: (token: string) => Promise<void>;
  /** Lets the App be suspended, or takes the token without another one, until `restore`. */
  readonly shutOut: (token: string) => void;
  readonly restore: () => Promise<void>;
  /** Lets people label the issue, and say something on it. */
  readonly label: (label: string) => void;
  readonly say: (body: string) => void;
  readonly thread: () => SeenThread;
  /** Open change requests. */
  readonly countDrafts: () => number;
  /** Requests that were refused for their token, without git's: it asks without a login first. */
  readonly countRefused: () => number;
  readonly gitDirectory: string;
  readonly cloneUrl: string;
  /** Parts of what nobody else may see: the key of an App. */
  readonly secrets: readonly string[];
  readonly close: () => Promise<void>;
}

interface ForgeOptions {
  /** Place of the file with the secret. */
  readonly directory: string;
  readonly now: () => number;
}

/** Starts a GitHub with an App that has the permissions of its manifest, and an issue. */
export async function startGitHubForge({ directory, now }: ForgeOptions): Promise<ExpiringForge> {
  const secondaryLimits = { pointsPerMinute: 1e6, contentPerMinute: 1e6, contentPerHour: 1e6 };
  const gitHub = await startGitHubSimulator({ now, secondaryLimits });
  for (const login of ['octo', 'alice']) gitHub.addUser({ login });
  const files = { 'README.md': 'hello\n' };
  await gitHub.addRepository({ owner: 'octo', name: 'hello', files, collaborators: { alice: 'write' } });
  const permissions = { contents: 'write', issues: 'write', pull_requests: 'write' } as const;
  const app = gitHub.apps.register({ owner: 'octo', name: 'My Agent', permissions });
  const installation = gitHub.apps.install({ app: app.slug, account: 'octo' });
  await writeFile(join(directory, 'app.pem'), app.privateKey, { mode: 0o600 });
  gitHub.openIssue({ repo: repository, author: 'alice', title: 'Write notes' });
  const at = { repo: repository, number: 1, author: 'alice' };
  return {
    name: 'github',
    url: gitHub.url,
    key: { type: 'github_issue', owner: 'octo', repo: 'hello', number: 1 },
    section: {
      repositories: [repository],
      base_url: gitHub.url,
      app: { app_id: app.id, private_key_file: 'app.pem' },
      write_spacing_ms: 0,
    },
    secretFile: 'app.pem',
    agent: 'my-agent[bot]',
    renew: async () => {},
    revoke: async (token) => gitHub.revokeToken(token),
    shutOut: () => gitHub.apps.suspend(installation, 'octo'),
    restore: async () => gitHub.apps.unsuspend(installation),
    label: (label) => gitHub.addLabels(repository, 1, [label], { by: 'alice' }),
    say: (body) => gitHub.comment({ ...at, body }),
    thread: () => gitHub.thread(repository, 1),
    countDrafts: () =>
      gitHub.threads(repository).filter(({ number, state }) => number > 1 && state === 'open').length,
    countRefused: () =>
      gitHub.requests.filter(({ status, path }) => status === 401 && !path.includes('.git/')).length,
    gitDirectory: gitHub.gitDirectory(repository),
    cloneUrl: `${gitHub.url}/${repository}.git`,
    secrets: [app.privateKey.split('\n')[1] ?? ''],
    close: gitHub.close,
  };
}

/** Starts a GitLab with the token of a project, which something else rotates into a file, and an issue. */
export async function startGitLabForge({ directory, now }: ForgeOptions): Promise<ExpiringForge> {
  const gitLab = await startGitLabSimulator({ now, notesPerMinute: 1e6 });
  for (const username of ['octo', 'alice']) gitLab.addUser({ username });
  const project = repository;
  const files = { 'README.md': 'hello\n' };
  const id = await gitLab.addProject({ path: project, files, members: { alice: 'maintainer' } });
  const made = gitLab.addAccessToken({ project, name: 'My Agent', level: 'developer' });
  const file = join(directory, 'token');
  let current = made.token;
  const write = async (token: string) => {
    current = token;
    await writeFile(`${file}.new`, `${token}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
  };
  await write(current);
  const rotate = () => write(gitLab.rotateToken(current).token);
  const issue = gitLab.openIssue({ project, author: 'alice', title: 'Write notes' }).reference;
  return {
    name: 'gitlab',
    url: gitLab.url,
    key: { type: 'gitlab_issue', projectId: String(id), issueIid: 1 },
    section: { projects: [project], base_url: gitLab.url, token_file: 'token', write_spacing_ms: 0 },
    secretFile: 'token',
    agent: made.username,
    renew: rotate,
    revoke: rotate,
    shutOut: (token) => gitLab.revokeToken(token, 'revoked'),
    restore: async () => {
      const token = 'glpat-restored-0123456789';
      gitLab.addToken({ token, username: made.username });
      await write(token);
    },
    label: (label) => gitLab.addLabels(project, issue, [label], { by: 'alice' }),
    say: (body) => void gitLab.note({ project, reference: issue, author: 'alice', body }),
    thread: () => {
      const { labels, notes } = gitLab.thread(project, issue);
      return { labels, comments: notes.filter(({ system }) => !system) };
    },
    countDrafts: () => gitLab.threads(project).filter(({ reference }) => reference.startsWith('!')).length,
    countRefused: () =>
      gitLab.requests.filter(({ status, path }) => status === 401 && !path.includes('.git/')).length,
    gitDirectory: gitLab.gitDirectory(project),
    cloneUrl: `${gitLab.url}/${project}.git`,
    secrets: [],
    close: gitLab.close,
  };
}
