import type { Platform, PlatformThread, TaskKey } from '@agent/platforms';
import {
  createGitHubExaminer,
  createGitLabExaminer,
  examineGitHubCredential,
  examineGitLabCredential,
} from '@agent/platforms/examination';
import { createGitHubPlatform } from '@agent/platforms/github';
import { createGitLabPlatform } from '@agent/platforms/gitlab';
import { type ForgeName, repository } from '../support/forge.ts';
import { type GitHubForge, gitHubToken, startGitHubForge } from '../support/github-forge.ts';
import { type GitLabForge, gitLabToken, startGitLabForge } from '../support/gitlab-forge.ts';
import { actAsPerson } from './act-as-person.ts';

type SimulatedForge = GitHubForge | GitLabForge;

const files = { 'README.md': '# Shop\n', 'total.js': 'export const total = 1;\n' };
const label = 'coding agent';

/** A simulated platform on which all requests of the daemon can be played. */
export interface PlayedPlatform {
  /** Has an issue with a conversation, one without text, and a change request with a review and checks. */
  readonly forge: SimulatedForge;
  /** Sends each request that the adapter has at least once, and those of the person. */
  readonly play: () => Promise<void>;
}

/** Starts a simulated platform whose clock stands still between the requests. Its requests go through this fetch. */
export async function startPlayedPlatform(
  name: ForgeName,
  fetch: typeof globalThis.fetch,
): Promise<PlayedPlatform> {
  let time = Date.UTC(2024, 4, 1);
  const now = (): number => time;
  const pass = (milliseconds: number): void => {
    time += milliseconds;
  };
  const forge = await { github: startGitHubForge, gitlab: startGitLabForge }[name]({ files, now });
  const connection = {
    ...{ fetch, now, monotonicNow: now, writeSpacingMs: 0, readRetries: 0, baseUrl: forge.url },
    sleep: async (milliseconds: number) => pass(milliseconds),
  };
  const platform =
    name === 'github'
      ? createGitHubPlatform({ ...connection, token: gitHubToken, repositories: [repository] })
      : createGitLabPlatform({ ...connection, token: gitLabToken, projects: [repository] });
  await prepare(forge, pass);
  return { forge, play: () => playAll({ forge, platform, pass, fetch }) };
}

interface Played {
  readonly forge: SimulatedForge;
  readonly platform: Platform;
  readonly pass: (milliseconds: number) => void;
  readonly fetch: typeof globalThis.fetch;
}

async function prepare(forge: SimulatedForge, pass: Played['pass']): Promise<void> {
  const issue = forge.openIssue({
    ...{ title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['bug', label] },
    assignees: ['robot'],
  });
  forge.openIssue({ title: 'Without text', body: null, labels: [label], author: 'bob' });
  forge.comment(issue.reference, { author: 'alice', body: 'Please.' });
  const edited = forge.comment(issue.reference, { author: 'bob', body: 'Thanks.' });
  pass(60_000);
  forge.editComment(edited, 'Thank you.');
  forge.editThread(issue.reference, { title: 'The total is still wrong', by: 'alice' });
  const request = await forge.openChangeRequest({
    ...{ title: 'Fix it', body: 'It does.', labels: [label], headBranch: 'fix' },
    files: { 'total.js': 'export const total = 2;\n' },
  });
  forge.comment(request.reference, { author: 'alice', body: 'Please.' });
  const line = { author: 'alice', body: 'Why?', path: 'total.js', line: 1 };
  await forge.reviewLine(request.reference, line);
  // The first comment is on a line of an older commit.
  await push(forge, { branch: 'fix', files: { 'total.js': 'export const total = 3;\n' } });
  await forge.reviewLine(request.reference, line);
  await forge.openChangeRequest({
    ...{ title: 'Without checks', body: null, labels: [label], headBranch: 'plain' },
    files: { 'plain.js': 'export {};\n' },
  });
  await forge.simulator.ci.answer(repository, ({ branch }) =>
    /fix|checked/.test(branch)
      ? [
          { name: 'test', conclusion: 'failure', log: 'It fails.' },
          { name: 'lint', conclusion: 'success', kind: 'status' },
        ]
      : [],
  );
}

async function playAll(played: Played): Promise<void> {
  const { forge, platform, fetch } = played;
  await playExamination(forge, fetch);
  await playPlaces(platform);
  const { tasks } = await platform.tasks.listTasks({ label, assignee: null, state: 'all' });
  for (const { key } of tasks.toSorted((one, other) => one.number - other.number))
    await playThread(platform, key);
  await actAsPerson({ forge, fetch });
  await playAgain(played, tasks[0]?.key);
}

/** Sends what a daemon at work asks about its token and its repository, without a request that writes. */
async function playExamination({ name, url }: SimulatedForge, fetch: typeof globalThis.fetch): Promise<void> {
  const [token, examineCredential, createExaminer] =
    name === 'github'
      ? [gitHubToken, examineGitHubCredential, createGitHubExaminer]
      : [gitLabToken, examineGitLabCredential, createGitLabExaminer];
  const asked = { baseUrl: url, token, fetch, timeoutMs: 30_000 };
  await examineCredential({
    ...{ ...asked, app: null, place: repository, trigger: 'label', hearsWebhooks: false, now: Date.now },
  });
  const trigger = { kind: 'label', label, others: ['unused'] } as const;
  const examine = createExaminer({
    ...asked,
    login: 'robot',
    trigger,
    readsOnly: true,
    askGit: async () => {},
  });
  for await (const _ of examine(repository));
}

async function playPlaces(platform: Platform): Promise<void> {
  const { tasks, identity, accounts, repositories, repositoryLabels } = platform;
  await identity.whoAmI();
  for (const login of ['alice', 'no-such-user']) await accounts?.findAccount(login);
  for (const query of [{ label }, { label: 'unused' }, { label: null, assignee: 'robot' }])
    await tasks.listTasks({ assignee: null, state: 'open', ...query });
  await tasks.listTasks({ label, assignee: null, state: 'open' });
  await orRefused(repositories?.listRepositories({ owner: 'acme', subgroups: false, fresh: true }));
  await repositoryLabels?.listMissing(repository, [label, 'new']);
  await repositoryLabels?.create(repository, 'new');
  await repositoryLabels?.create(repository, 'new');
}

async function playThread(platform: Platform, key: TaskKey): Promise<void> {
  const thread = platform.openThread(key);
  await thread.reader.readThread();
  await thread.reader.readParent?.();
  const { comments } = await thread.comments.listComments({ since: null });
  await thread.comments.listComments({ since: null });
  for (const { id } of comments.slice(0, 2)) {
    await thread.reader.getComment?.(id);
    await thread.reactions?.ensureReaction({ commentId: id, meaning: 'seen' });
    await thread.reactions?.listReactions?.({ commentId: id, meaning: 'seen' });
    await thread.history?.lastCommentEdit?.(id);
  }
  await orRefused(thread.reader.getComment?.('999999'));
  await playWrites(thread, comments);
  await playPeople(platform, thread);
  await playHistory(thread);
  await playRepository(thread);
  await platform.openChanges?.(key).listChanges();
  await platform.openLineChanges?.(key).listChanges();
  await platform.openRequestChanges?.(key).listChanges();
  await playReview(platform, key);
}

async function playWrites(
  { writer, ownComments, labels }: PlatformThread,
  others: readonly { readonly id: string }[],
): Promise<void> {
  const { id } = (await writer.ensureComment({ topic: 'run:1:status', body: 'Working.' })) as { id: string };
  await writer.ensureComment({ topic: 'run:1:status', body: 'Still working.' });
  await ownComments?.list();
  await ownComments?.edit({ id, topic: 'run:1:status', body: 'Finished.' });
  await ownComments?.remove(id);
  for (const { id: other } of others.slice(0, 1)) await orRefused(ownComments?.remove(other));
  await orRefused(ownComments?.edit({ id, topic: 'run:1:status', body: 'Gone.' }));
  await labels?.addLabel('coding agent processing');
  await labels?.removeLabel('coding agent processing');
  await labels?.removeLabel('coding agent processing');
}

async function playPeople(
  platform: Platform,
  { assignees, permissions, history }: PlatformThread,
): Promise<void> {
  const robot = await platform.identity.whoAmI();
  await assignees?.unassign(robot);
  await assignees?.assign(robot);
  await history?.lastAssigned(robot);
  for (const login of ['alice', 'bob', 'robot']) {
    const account = await platform.accounts?.findAccount(login);
    if (account != null) await permissions?.accessOf(account);
  }
}

async function playHistory({ labelEvents, history }: PlatformThread): Promise<void> {
  await labelEvents?.lastLabeled(label);
  await history?.listEdits({ since: '2024-01-01T00:00:00Z' });
  await history?.lastReopened?.();
}

async function playRepository({ repository: reader, changeRequests }: PlatformThread): Promise<void> {
  await reader?.describe();
  await reader?.listFiles();
  await reader?.readFile('README.md');
  await orRefused(reader?.readFile('missing.md'));
  await reader?.searchThreads('total');
  await changeRequests?.listBranches({ prefix: 'fix' });
  await changeRequests?.findChangeRequest({ headBranch: 'fix' });
  await changeRequests?.findChangeRequest({ headBranch: 'missing' });
  for (const branch of ['fix', 'main', 'missing'])
    await orRefused(changeRequests?.describeBranch?.({ branch }));
}

async function playReview(platform: Platform, key: TaskKey): Promise<void> {
  const review = platform.openReview?.(key) ?? null;
  if (review === null) return;
  const { lines, reviews, threads, checks } = review;
  for (const source of [lines, reviews]) {
    const listing = await source?.listComments({ since: null });
    for (const { id } of listing?.comments.slice(0, 1) ?? []) await source?.getComment?.(id);
  }
  for (const { id: reviewThread } of await threads.list()) {
    await threads.answer({ topic: 'answer:1', body: 'Because.', reviewThread });
    await threads.resolve(reviewThread);
    await threads.list();
  }
  const head = await checks.readHead();
  for (const check of await checks.list({ head })) {
    await orRefused(checks.readLog(check));
    await orRefused(checks.rerun(check));
  }
  await review.isMergeQueued?.();
}

/** Opens drafts with and without checks, and reads a thread that is closed or deleted. */
async function playAgain({ platform, forge, pass }: Played, key: TaskKey | undefined): Promise<void> {
  if (key === undefined) return;
  const { changeRequests, reader } = platform.openThread(key);
  const account = await platform.accounts?.findAccount('alice');
  for (const headBranch of ['agent/change', 'agent/checked']) {
    await push(forge, { branch: headBranch, files: { [`${headBranch}.js`]: 'export {};\n' } });
    const draft = { title: 'Change it', headBranch, baseBranch: 'main', joinBody: joined };
    const opened = await changeRequests?.ensureDraft({ ...draft, body: 'It is changed.' });
    await changeRequests?.ensureDraft({ ...draft, body: 'It is changed again.' });
    if (opened !== undefined && account != null)
      await changeRequests?.requestReview?.({ number: opened.number, account });
  }
  pass(60_000);
  const [first] = forge.threads();
  if (first === undefined) return;
  forge.close(first.reference);
  await reader.readThread();
  forge.deleteThread(first.reference);
  await orRefused(reader.readThread());
}

function push(
  { simulator }: SimulatedForge,
  commit: { readonly branch: string; readonly files: Readonly<Record<string, string>> },
): Promise<string> {
  return simulator.push({ repo: repository, project: repository, author: 'robot', ...commit });
}

const joined = (_current: string | null, body: string): string => body;

/** Waits for a request that a platform can refuse: its answer is recorded, too. */
async function orRefused(request: Promise<unknown> | undefined): Promise<void> {
  await request?.catch(() => {});
}
