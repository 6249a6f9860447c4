import type { Account, Comment, Thread } from '@agent/platforms';
import type { AdapterArguments, AdapterPlatform, AdapterThread } from '@agent/platforms/custom';
import { createForge, type Forge } from './forge.ts';
import { createRequester, type Requester } from './requester.ts';

/** Section `options` of the configuration. */
export interface TrackerOptions {
  /** Address of the tracker. */
  readonly tracker: string;
  /** Key of the project, e.g. `SHOP`. */
  readonly project: string;
  /** Address of the API of the server that has the code. */
  readonly forge: string;
  /** `owner/name` of the repository there. */
  readonly repository: string;
  /** Address of the repository for git. */
  readonly code: string;
}

interface UserJson {
  readonly accountId: string;
  readonly displayName: string;
}

interface CommentJson {
  readonly id: string;
  readonly author: UserJson;
  readonly body: string;
  readonly created: string;
  readonly updated: string;
  readonly properties: readonly { readonly key: string; readonly value: string }[];
}

interface IssueJson {
  readonly key: string;
  readonly fields: {
    readonly summary: string;
    readonly description: string;
    readonly labels: readonly string[];
    readonly creator: UserJson;
    readonly status: string;
    readonly created: string;
    readonly updated: string;
    readonly comments: number;
  };
}

/** Property of a comment that keeps its topic, so that a later process finds it again. */
const topicProperty = 'agent.topic';

/** A tracker whose code is in a private repository on another server. */
export default function createTrackerPlatform({
  name,
  options,
  environment,
}: Pick<AdapterArguments<TrackerOptions>, 'name' | 'options' | 'environment'>): AdapterPlatform {
  const { tracker, project, forge: forgeUrl, repository, code } = options;
  const { TRACKER_TOKEN = '', FORGE_TOKEN = '' } = environment;
  const request = createRequester(`${tracker}/rest/api/2`, `Bearer ${TRACKER_TOKEN}`);
  const forge = createForge(createRequester(forgeUrl, `Bearer ${FORGE_TOKEN}`), { repository, code });
  const listIssues = async (signal: AbortSignal | undefined) =>
    (await request<{ issues: readonly IssueJson[] }>(`/search?jql=project=${project}`, { signal })).issues;
  return {
    identity: {
      whoAmI: async ({ signal } = {}) => toAccount(await request<UserJson>('/myself', { signal })),
    },
    tasks: {
      listTasks: async ({ label, assignee, state, signal }) => ({
        tasks: (await listIssues(signal))
          .map((issue) => toThread(issue, { name, tracker }))
          .filter((thread) => state === 'all' || thread.state === state)
          .filter(({ labels }) => label === null || labels.includes(label))
          .filter(() => assignee === null),
        failures: [],
      }),
    },
    openThread: (key) => {
      if (key.type !== 'custom' || key.platform !== name)
        throw Object.assign(new Error('This key is of another platform.'), { code: 'invalid' });
      return openIssue(request, { path: `/issue/${key.project}-${key.id}`, name, tracker, forge });
    },
    // The token goes to the server of the repository alone.
    gitCredential: async ({ cloneUrl }, { signal } = {}) => {
      signal?.throwIfAborted();
      return new URL(cloneUrl).origin === new URL(code).origin
        ? { username: 'x-access-token', password: FORGE_TOKEN }
        : null;
    },
  };
}

interface IssuePlace {
  readonly path: string;
  readonly name: string;
  readonly tracker: string;
  readonly forge: Forge;
}

function openIssue(request: Requester, { path, name, tracker, forge }: IssuePlace): AdapterThread {
  const list = async (signal: AbortSignal | undefined) =>
    (await request<{ comments: readonly CommentJson[] }>(`${path}/comment?expand=properties`, { signal }))
      .comments;
  const editLabels = async (change: object, signal: AbortSignal | undefined) => {
    await request(path, { method: 'PUT', body: { update: { labels: [change] } }, signal });
  };
  let turn: Promise<unknown> = Promise.resolve();
  return {
    reader: {
      readThread: async ({ signal } = {}) =>
        toThread(await request<IssueJson>(path, { signal }), { name, tracker }),
    },
    comments: {
      listComments: async ({ since, signal }) => {
        const comments = (await list(signal)).map(toComment);
        return { comments, complete: true, cursor: comments.length > 0 ? 'seen' : since, unchanged: false };
      },
    },
    writer: {
      ensureComment: ({ topic, body, signal }) => {
        const write = async () => {
          const own = (await list(signal)).find(({ properties }) =>
            properties.some(({ key, value }) => key === topicProperty && value === topic),
          );
          if (own?.body === body) return { id: own.id, url: null, change: 'unchanged' as const };
          const content = { body, properties: [{ key: topicProperty, value: topic }] };
          const { id } = await request<CommentJson>(
            `${path}/comment${own === undefined ? '' : `/${own.id}`}`,
            {
              ...{ method: own === undefined ? 'POST' : 'PUT', body: content, signal },
            },
          );
          return { id, url: null, change: own === undefined ? ('created' as const) : ('updated' as const) };
        };
        const ensured = turn.then(write);
        turn = ensured.catch(() => undefined);
        return ensured;
      },
    },
    labels: {
      addLabel: (label, { signal } = {}) => editLabels({ add: toLabel(label) }, signal),
      removeLabel: (label, { signal } = {}) => editLabels({ remove: toLabel(label) }, signal),
    },
    repository: { describe: forge.describe },
    changeRequests: forge.changeRequests,
  };
}

/** Labels of the tracker have no spaces. */
const toLabel = (label: string) => label.replaceAll(' ', '_');

const toAccount = ({ accountId, displayName }: UserJson): Account => ({
  ...{ id: accountId, login: displayName, kind: displayName === 'agent' ? 'bot' : 'person' },
});

function toThread(
  { key, fields }: IssueJson,
  { name, tracker }: { readonly name: string; readonly tracker: string },
): Thread {
  const [project = '', id = ''] = key.split('-');
  return {
    key: { type: 'custom', platform: name, project, id },
    id: key,
    number: Number(id),
    title: fields.summary,
    body: fields.description,
    author: toAccount(fields.creator),
    labels: fields.labels.map((label) => label.replaceAll('_', ' ')),
    assignees: [],
    state: fields.status === 'done' ? 'closed' : 'open',
    commentCount: fields.comments,
    createdAt: fields.created,
    updatedAt: fields.updated,
    url: `${tracker}/browse/${key}`,
    confidential: false,
    changeRequest: null,
  };
}

function toComment({ id, author, body, created, updated }: CommentJson): Comment {
  const times = { createdAt: created, updatedAt: updated };
  return { id, author: toAccount(author), body, ...times, url: null, visibility: 'public', subject: null };
}
