import { z } from 'zod';
import type {
  CommentState,
  IssueState,
  LineComment,
  RepositoryClient,
  RepositoryClientOptions,
  RequestState,
} from './repository-client.ts';
import {
  createLabelClient,
  createRequestSender,
  findAddedLine,
  PlatformRequestError,
  probeList,
} from './send-request.ts';

const user = z.object({ login: z.string() }).nullish();
const issueSchema = z
  .object({
    number: z.number(),
    html_url: z.string(),
    state: z.string(),
    node_id: z.string(),
    body: z.string().nullish(),
    labels: z.array(z.union([z.string(), z.object({ name: z.string() })])).default([]),
    pull_request: z.unknown().optional(),
  })
  .transform(({ html_url: url, node_id: nodeId, state, labels, pull_request: pull, number, body }) => ({
    ...{ number, url, nodeId, body: body ?? '', isOpen: state === 'open', isPull: pull !== undefined },
    labels: labels.map((label) => (typeof label === 'string' ? label : label.name)),
  }));
const commentSchema = z
  .object({
    id: z.number(),
    user,
    body: z.string().nullish(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .transform(
    ({ id, user: author, body, created_at: createdAt, updated_at: updatedAt }): CommentState => ({
      ...{ id: String(id), author: author?.login ?? null, body: body ?? '', createdAt, updatedAt },
    }),
  );
const pullSchema = z
  .object({
    number: z.number(),
    html_url: z.string(),
    state: z.string(),
    draft: z.boolean().nullish(),
    head: z.object({ sha: z.string() }),
  })
  .transform(
    ({ number, html_url: url, state, draft, head }): RequestState => ({
      ...{ number, url, isOpen: state === 'open', isDraft: draft === true, head: head.sha },
    }),
  );
const lineSchema = z
  .object({ id: z.number(), user, body: z.string(), in_reply_to_id: z.number().nullish() })
  .transform(
    ({ id, user: author, body, in_reply_to_id: to }): LineComment => ({
      ...{ id: String(id), author: author?.login ?? null, body, replyTo: to == null ? null : String(to) },
    }),
  );
const reactionSchema = z.object({ content: z.string() });
const fileSchema = z.object({ filename: z.string(), patch: z.string().default('') });
const permissionsSchema = z.object({ permissions: z.object({ push: z.boolean() }).nullish() });
const deletionSchema = z.object({ errors: z.array(z.object({ message: z.string() })).nullish() });

const gone = [404, 410];
const deleteIssue = 'mutation($id: ID!) { deleteIssue(input: { issueId: $id }) { clientMutationId } }';

/** Creates the client of an account on GitHub or GitHub Enterprise Server. */
export function createGitHubClient(options: RepositoryClientOptions): RepositoryClient {
  const { repository } = options;
  const [owner = ''] = repository.split('/');
  const api = options.baseUrl.replace(/\/$/, '');
  const client = createRequestSender(options, api);
  const { send, list } = client;
  const place = `/repos/${repository}`;
  const site = `${toSite(api)}/${repository}`;
  const toIssue = (json: unknown): IssueState => issueSchema.parse(json);
  const labels = createLabelClient(client, { path: `${place}/labels`, color: '8250df', existsStatus: 422 });
  const issueOf = (number: number) => `${place}/issues/${number}`;
  return {
    issues: {
      open: async (text) => toIssue((await send('POST', `${place}/issues`, { body: text })).json),
      read: async (number) => toIssue((await send('GET', issueOf(number))).json),
      listOpen: async (label) => {
        const query = new URLSearchParams({ state: 'open', labels: label, per_page: '100' });
        const found = z.array(issueSchema).parse(await list(`${place}/issues?${query}`));
        return found.filter(({ isPull }) => !isPull).sort((one, other) => one.number - other.number);
      },
      findOpen: async (text) => {
        const query = new URLSearchParams({
          state: 'open',
          sort: 'created',
          direction: 'desc',
          per_page: '100',
        });
        const { json } = await send('GET', `${place}/issues?${query}`);
        const found = z.array(issueSchema).parse(json);
        return found.find(({ isPull, body }) => !isPull && body.includes(text)) ?? null;
      },
      addLabel: async (number, label) => {
        await send('POST', `${issueOf(number)}/labels`, { body: { labels: [label] } });
      },
    },
    comments: {
      list: async ({ number }) =>
        z.array(commentSchema).parse(await list(`${issueOf(number)}/comments?per_page=100`)),
      post: async ({ number }, body) =>
        commentSchema.parse((await send('POST', `${issueOf(number)}/comments`, { body: { body } })).json),
      edit: async (_thread, id, body) =>
        commentSchema.parse((await send('PATCH', `${place}/issues/comments/${id}`, { body: { body } })).json),
      remove: async (_thread, id) => {
        await send('DELETE', `${place}/issues/comments/${id}`, { accepts: gone });
      },
    },
    reactions: {
      isSeen: async (_thread, id) => {
        const { json } = await send('GET', `${place}/issues/comments/${id}/reactions?per_page=100`);
        return z
          .array(reactionSchema)
          .parse(json)
          .some(({ content }) => content === 'eyes');
      },
    },
    requests: {
      find: async (branch) => {
        const query = new URLSearchParams({ head: `${owner}:${branch}`, state: 'all', per_page: '10' });
        const { json } = await send('GET', `${place}/pulls?${query}`);
        return z.array(pullSchema).parse(json)[0] ?? null;
      },
      findLine: async ({ number }) => {
        const files = z.array(fileSchema).parse(await list(`${place}/pulls/${number}/files?per_page=100`));
        for (const { filename: path, patch } of files) {
          const line = findAddedLine(patch);
          if (line !== null) return { path, line };
        }
        return null;
      },
      comment: async ({ number, head }, { path, line }, body) =>
        lineSchema.parse(
          (
            await send('POST', `${place}/pulls/${number}/comments`, {
              body: { body, commit_id: head, path, line, side: 'RIGHT' },
            })
          ).json,
        ),
      listLineComments: async (number) =>
        z.array(lineSchema).parse(await list(`${place}/pulls/${number}/comments?per_page=100`)),
      removeLineComment: async (_number, id) => {
        await send('DELETE', `${place}/pulls/comments/${id}`, { accepts: gone });
      },
    },
    removeCreated: {
      closeThread: async ({ kind, number }) => {
        const path = kind === 'issue' ? issueOf(number) : `${place}/pulls/${number}`;
        await send('PATCH', path, { body: { state: 'closed' }, accepts: gone });
      },
      deleteThread: async ({ kind }, nodeId) => {
        if (kind === 'request')
          throw new PlatformRequestError('GitHub does not delete pull requests.', { status: null });
        const address = api.endsWith('/api/v3') ? `${api.slice(0, -3)}/graphql` : '/graphql';
        const { json } = await send('POST', address, {
          body: { query: deleteIssue, variables: { id: nodeId } },
        });
        const [refusal] = deletionSchema.parse(json).errors ?? [];
        if (refusal !== undefined) throw new PlatformRequestError(refusal.message, { status: null });
      },
      deleteBranch: async (branch) => {
        await send('DELETE', `${place}/git/refs/heads/${branch}`, { accepts: [404, 422] });
      },
      deleteLabel: labels.remove,
      isOwnLabel: labels.isOwn,
    },
    pages: {
      newIssue: ({ title, body, label: labels }) =>
        `${site}/issues/new?${new URLSearchParams({ title, body, labels })}`,
      branch: (branch) => `${site}/branches/all?${new URLSearchParams({ query: branch })}`,
      label: (label) => `${site}/labels?${new URLSearchParams({ q: label })}`,
      issues: (text) => `${site}/issues?${new URLSearchParams({ q: `is:open ${text}` })}`,
    },
    probe: {
      whoAmI: async () => {
        const { json } = await send('GET', '/user');
        const { id, login } = z.object({ id: z.number(), login: z.string() }).parse(json);
        return { id: String(id), login };
      },
      readAccess: async () => {
        const { permissions } = permissionsSchema.parse((await send('GET', place)).json);
        return { canWrite: permissions?.push === true };
      },
      createLabel: labels.create,
      listsComments: async () => {
        const path = `${place}/issues/comments?sort=updated&direction=desc&per_page=1`;
        return (await send('GET', path, { accepts: [404] })).status !== 404;
      },
      probeList: ({ number }) => probeList(client, `${issueOf(number)}/comments?per_page=1`),
    },
  };
}

/** Address of the pages that belong to an API: `api.` is part of the host, or `/api/v3` of the path. */
function toSite(api: string): string {
  const { protocol, host, pathname } = new URL(api);
  return `${protocol}//${pathname === '/' ? host.replace(/^api\./, '') : host}`;
}
