import { z } from 'zod';
import type {
  CommentState,
  IssueState,
  LineComment,
  RepositoryClient,
  RepositoryClientOptions,
  RequestState,
  ThreadReference,
} from './repository-client.ts';
import {
  createLabelClient,
  createRequestSender,
  findAddedLine,
  PlatformRequestError,
  probeList,
} from './send-request.ts';

const author = z.object({ username: z.string() }).nullish();
const issueSchema = z
  .object({
    iid: z.number(),
    web_url: z.string(),
    state: z.string(),
    labels: z.array(z.string()).default([]),
    description: z.string().nullish(),
  })
  .transform(
    ({ iid, web_url: url, state, labels, description }): IssueState => ({
      ...{
        number: iid,
        url,
        body: description ?? '',
        isOpen: state === 'opened',
        labels,
        nodeId: String(iid),
      },
    }),
  );
const noteSchema = z.object({
  id: z.number(),
  author,
  body: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  system: z.boolean().default(false),
});
const awardSchema = z.object({ name: z.string() });
const requestSchema = z
  .object({
    iid: z.number(),
    web_url: z.string(),
    state: z.string(),
    draft: z.boolean().nullish(),
    sha: z.string().nullish(),
  })
  .transform(
    ({ iid, web_url: url, state, draft, sha }): RequestState => ({
      ...{ number: iid, url, isOpen: state === 'opened', isDraft: draft === true, head: sha ?? '' },
    }),
  );
const refsSchema = z.object({
  diff_refs: z.object({ base_sha: z.string(), start_sha: z.string(), head_sha: z.string() }),
});
const diffSchema = z.object({ new_path: z.string(), diff: z.string().default('') });
const discussionSchema = z.object({
  id: z.string(),
  individual_note: z.boolean().default(false),
  notes: z.array(z.object({ id: z.number(), author, body: z.string(), system: z.boolean().default(false) })),
});
const accessSchema = z.object({ access_level: z.number() }).nullish();
const projectSchema = z.object({
  permissions: z.object({ project_access: accessSchema, group_access: accessSchema }).nullish(),
});
/** Access level of a developer, who can push. */
const developer = 30;

/** Creates the client of an account on GitLab. */
export function createGitLabClient(options: RepositoryClientOptions): RepositoryClient {
  const root = `${options.baseUrl.replace(/\/$/, '')}/api/v4`;
  const client = createRequestSender(options, root);
  const { send, list } = client;
  const site = `${options.baseUrl.replace(/\/$/, '')}/${options.repository}`;
  const place = `/projects/${encodeURIComponent(options.repository)}`;
  const labels = createLabelClient(client, { path: `${place}/labels`, color: '#8250df', existsStatus: 409 });
  const issueOf = (number: number) => `${place}/issues/${number}`;
  const requestOf = (number: number) => `${place}/merge_requests/${number}`;
  const addressOf = ({ kind, number }: ThreadReference) =>
    kind === 'issue' ? issueOf(number) : requestOf(number);
  return {
    issues: {
      open: async ({ title, body: description }) =>
        issueSchema.parse((await send('POST', `${place}/issues`, { body: { title, description } })).json),
      read: async (number) => issueSchema.parse((await send('GET', issueOf(number))).json),
      listOpen: async (label) => {
        const query = new URLSearchParams({ state: 'opened', labels: label, sort: 'asc', per_page: '100' });
        const found = z.array(issueSchema).parse(await list(`${place}/issues?${query}`));
        return [...found].sort((one, other) => one.number - other.number);
      },
      findOpen: async (text) => {
        const query = new URLSearchParams({ state: 'opened', sort: 'desc', per_page: '100' });
        const { json } = await send('GET', `${place}/issues?${query}`);
        return (
          z
            .array(issueSchema)
            .parse(json)
            .find(({ body }) => body.includes(text)) ?? null
        );
      },
      addLabel: async (number, label) => {
        await send('PUT', issueOf(number), { body: { add_labels: label } });
      },
    },
    comments: {
      list: async (thread) => {
        const notes = z
          .array(noteSchema)
          .parse(await list(`${addressOf(thread)}/notes?sort=asc&per_page=100`));
        return notes.filter(({ system }) => !system).map(toComment);
      },
      post: async (thread, body) =>
        toComment(
          noteSchema.parse((await send('POST', `${addressOf(thread)}/notes`, { body: { body } })).json),
        ),
      edit: async (thread, id, body) =>
        toComment(
          noteSchema.parse((await send('PUT', `${addressOf(thread)}/notes/${id}`, { body: { body } })).json),
        ),
      remove: async (thread, id) => {
        await send('DELETE', `${addressOf(thread)}/notes/${id}`, { accepts: [404] });
      },
    },
    reactions: {
      isSeen: async (thread, id) => {
        const { json } = await send('GET', `${addressOf(thread)}/notes/${id}/award_emoji?per_page=100`);
        return z
          .array(awardSchema)
          .parse(json)
          .some(({ name }) => name === 'eyes');
      },
    },
    requests: {
      find: async (branch) => {
        const query = new URLSearchParams({ source_branch: branch, state: 'all', per_page: '10' });
        const { json } = await send('GET', `${place}/merge_requests?${query}`);
        return z.array(requestSchema).parse(json)[0] ?? null;
      },
      findLine: async ({ number }) => {
        const files = z.array(diffSchema).parse(await list(`${requestOf(number)}/diffs?per_page=100`));
        for (const { new_path: path, diff } of files) {
          const line = findAddedLine(diff);
          if (line !== null) return { path, line };
        }
        return null;
      },
      comment: async ({ number }, { path, line }, body) => {
        const { diff_refs: refs } = refsSchema.parse((await send('GET', requestOf(number))).json);
        const position = { ...refs, position_type: 'text', new_path: path, old_path: path, new_line: line };
        const { json } = await send('POST', `${requestOf(number)}/discussions`, { body: { body, position } });
        const [first] = toLineComments(discussionSchema.parse(json));
        if (first === undefined)
          throw new PlatformRequestError('GitLab answered without the note.', { status: null });
        return first;
      },
      listLineComments: async (number) => {
        const found = await list(`${requestOf(number)}/discussions?per_page=100`);
        return z.array(discussionSchema).parse(found).flatMap(toLineComments);
      },
      removeLineComment: async (number, id) => {
        await send('DELETE', `${requestOf(number)}/notes/${id}`, { accepts: [404] });
      },
    },
    removeCreated: {
      closeThread: async (thread) => {
        await send('PUT', addressOf(thread), { body: { state_event: 'close' }, accepts: [404] });
      },
      deleteThread: async (thread) => {
        await send('DELETE', addressOf(thread), { accepts: [404] });
      },
      deleteBranch: async (branch) => {
        await send('DELETE', `${place}/repository/branches/${encodeURIComponent(branch)}`, {
          accepts: [404],
        });
      },
      deleteLabel: labels.remove,
      isOwnLabel: labels.isOwn,
    },
    pages: {
      newIssue: ({ title, body }) =>
        `${site}/-/issues/new?${new URLSearchParams({ 'issue[title]': title, 'issue[description]': body })}`,
      branch: (branch) => `${site}/-/branches/all?${new URLSearchParams({ search: branch })}`,
      label: (label) => `${site}/-/labels?${new URLSearchParams({ search: label })}`,
      issues: (text) => `${site}/-/issues?${new URLSearchParams({ state: 'opened', search: text })}`,
    },
    probe: {
      whoAmI: async () => {
        const { json } = await send('GET', '/user');
        const { id, username } = z.object({ id: z.number(), username: z.string() }).parse(json);
        return { id: String(id), login: username };
      },
      readAccess: async () => {
        const { permissions } = projectSchema.parse((await send('GET', place)).json);
        const levels = [permissions?.project_access?.access_level, permissions?.group_access?.access_level];
        return { canWrite: levels.some((level) => (level ?? 0) >= developer) };
      },
      createLabel: labels.create,
      // The daemon lists the issues that changed, and their notes.
      listsComments: () => Promise.resolve(true),
      probeList: (thread) => probeList(client, `${addressOf(thread)}/notes?sort=asc&per_page=1`),
    },
  };
}

function toComment(note: z.infer<typeof noteSchema>): CommentState {
  const { id, author: by, body, created_at: createdAt, updated_at: updatedAt } = note;
  return { id: String(id), author: by?.username ?? null, body, createdAt, updatedAt };
}

function toLineComments({
  individual_note: isAlone,
  notes,
}: z.infer<typeof discussionSchema>): LineComment[] {
  const [first] = notes;
  if (first === undefined || isAlone) return [];
  // A push adds a system note to the conversation on a line that it changes.
  return notes
    .filter(({ system }) => !system)
    .map((note) => ({
      ...{ id: String(note.id), author: note.author?.username ?? null, body: note.body },
      replyTo: note === first ? null : String(first.id),
    }));
}
