import * as z from 'zod';
import { earlierOf, isBefore } from '../listings/comment-listing.ts';
import type { Account, CommentEdit, LabelEvent, ThreadEdit } from '../model.ts';
import { isNotFound, PlatformError } from '../platform-error.ts';
import type { CallOptions, EventOptions, LabelEventReader, ThreadHistory } from '../ports.ts';
import { activitySchema, toAccount } from './github-answers.ts';
import type { GitHubThreadContext } from './github-context.ts';

const actor = `__typename login ... on User { databaseId } ... on Bot { databaseId }
  ... on Mannequin { databaseId } ... on Organization { databaseId }`;
const common = `lastEditedAt editor { ${actor} }
  userContentEdits(first: 100) { totalCount nodes { editedAt editor { ${actor} } } }
  timelineItems(last: 100, itemTypes: [LABELED_EVENT, ASSIGNED_EVENT, RENAMED_TITLE_EVENT, REOPENED_EVENT]) { nodes {
    __typename
    ... on LabeledEvent { createdAt actor { ${actor} } label { name } }
    ... on AssignedEvent { createdAt actor { ${actor} } assignee { ${actor} } }
    ... on RenamedTitleEvent { createdAt actor { ${actor} } }
    ... on ReopenedEvent { createdAt actor { ${actor} } }
  } }`;

/** Labels, titles and texts of one thread in one question; REST does not say who edited a text. */
const query = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { issueOrPullRequest(number: $number) {
    ... on Issue { createdAt ${common} }
    ... on PullRequest {
      createdAt ${common} headRefOid headRefName isCrossRepository headRepository { nameWithOwner }
    }
  } }
}`;

/** Comments from the newest; REST does not say who edited one. */
const commentsQuery = `query ($owner: String!, $repo: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $repo) { issueOrPullRequest(number: $number) {
    ... on Issue { comments(last: 100, before: $before) {
      pageInfo { hasPreviousPage startCursor } nodes { databaseId lastEditedAt editor { ${actor} } }
    } }
    ... on PullRequest { comments(last: 100, before: $before) {
      pageInfo { hasPreviousPage startCursor } nodes { databaseId lastEditedAt editor { ${actor} } }
    } }
  } }
}`;

const actorSchema = z.object({
  __typename: z.string(),
  login: z.string(),
  databaseId: z.number().nullish(),
});
const historySchema = z.object({
  createdAt: z.string(),
  lastEditedAt: z.string().nullish(),
  editor: actorSchema.nullish(),
  userContentEdits: z
    .object({
      totalCount: z.number(),
      nodes: z.array(z.object({ editedAt: z.string(), editor: actorSchema.nullish() }).nullable()),
    })
    .nullish(),
  timelineItems: z.object({
    nodes: z.array(
      z
        .object({
          __typename: z.string(),
          createdAt: z.string(),
          actor: actorSchema.nullish(),
          label: z.object({ name: z.string() }).nullish(),
          assignee: actorSchema.partial().nullish(),
        })
        .nullable(),
    ),
  }),
  headRefOid: z.string().nullish(),
  headRefName: z.string().nullish(),
  isCrossRepository: z.boolean().nullish(),
  headRepository: z.object({ nameWithOwner: z.string() }).nullish(),
});
const commentsSchema = z.object({
  comments: z.object({
    pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullish() }),
    nodes: z.array(
      z
        .object({
          databaseId: z.number().nullish(),
          lastEditedAt: z.string().nullish(),
          editor: actorSchema.nullish(),
        })
        .nullable(),
    ),
  }),
});
const toAnswerSchema = <Schema extends z.ZodType>(thread: Schema) =>
  z.object({
    data: z.object({ repository: z.object({ issueOrPullRequest: thread.nullish() }).nullish() }).nullish(),
    errors: z.array(z.object({ type: z.string().nullish(), message: z.string() })).nullish(),
  });

type History = z.output<typeof historySchema>;

/**
 * Reads the events of a thread: one request, and another for the pushes of a pull request from a fork.
 *
 * @see https://docs.github.com/en/graphql/reference/objects#labeledevent
 */
export function createGitHubLabelEvents(context: GitHubThreadContext): LabelEventReader {
  return {
    lastLabeled: (name, options) =>
      findEvent(context, ({ label }) => label?.name.toLowerCase() === name.toLowerCase(), options),
  };
}

/**
 * Reads who assigned or reopened, and what has changed: the same request as for labels.
 *
 * @see https://docs.github.com/en/graphql/reference/objects#assignedevent
 * @see https://docs.github.com/en/graphql/reference/objects#reopenedevent
 */
export function createGitHubHistory(context: GitHubThreadContext): ThreadHistory {
  return {
    lastAssigned: ({ id }, options) =>
      findEvent(context, ({ assignee }) => String(assignee?.databaseId ?? '') === id, options),
    lastReopened: (options) =>
      findEvent(context, ({ __typename }) => __typename === 'ReopenedEvent', options),
    listEdits: async ({ since, signal }) =>
      listEdits(context, { history: await readHistory(context, { signal }), since, signal }),
    lastCommentEdit: (commentId, options) => findCommentEdit(context, commentId, options),
  };
}

type EventNode = NonNullable<History['timelineItems']['nodes'][number]>;

async function findEvent(
  context: GitHubThreadContext,
  isWanted: (node: EventNode) => boolean,
  options: EventOptions = {},
): Promise<LabelEvent | null> {
  const history = await readHistory(context, options);
  const node = presentIn(history.timelineItems.nodes).findLast(isWanted);
  if (node === undefined) return null;
  const since = earlierOf(node.createdAt, options.since);
  const editsSince = await listEdits(context, { history, since, signal: options.signal });
  return { actor: toActor(node.actor), at: node.createdAt, editsSince };
}

async function listEdits(
  context: GitHubThreadContext,
  asked: { readonly history: History; readonly since: string } & CallOptions,
): Promise<readonly ThreadEdit[]> {
  const { history, since } = asked;
  const heads = await listHeads(context, asked);
  return [...listTitles(history, since), ...listBodies(history, since), ...heads];
}

function readHistory(context: GitHubThreadContext, options: CallOptions): Promise<History> {
  return askThread(context, { query, thread: historySchema, variables: {}, ...options });
}

async function findCommentEdit(
  context: GitHubThreadContext,
  commentId: string,
  options: CallOptions = {},
): Promise<CommentEdit | null> {
  for (let before: string | null = null; ; ) {
    const { comments } = await readComments(context, { before, ...options });
    const found = presentIn(comments.nodes).find(({ databaseId }) => String(databaseId) === commentId);
    if (found?.lastEditedAt != null) return { actor: toActor(found.editor), at: found.lastEditedAt };
    if (found !== undefined) return null;
    before = comments.pageInfo.startCursor ?? null;
    if (!comments.pageInfo.hasPreviousPage || before === null)
      throw new PlatformError(`There is no comment ${commentId} on ${context.name} any more.`, {
        code: 'not-found',
      });
  }
}

function readComments(
  context: GitHubThreadContext,
  { before, signal }: { readonly before: string | null } & CallOptions,
): Promise<z.output<typeof commentsSchema>> {
  return askThread(context, { query: commentsQuery, thread: commentsSchema, variables: { before }, signal });
}

async function askThread<Schema extends z.ZodType>(
  { client, key, place, repository, name, settings }: GitHubThreadContext,
  asked: {
    readonly query: string;
    readonly thread: Schema;
    readonly variables: Readonly<Record<string, unknown>>;
  } & CallOptions,
): Promise<z.output<Schema>> {
  const call = {
    doing: `read who changed ${name}`,
    repository,
    permission: 'issues: read',
    route: 'POST /graphql',
    // An Enterprise server has it beside its REST API, not below: https://host/api/graphql
    parameters: {
      baseUrl: settings.baseUrl.replace(/\/v3$/u, ''),
      query: asked.query,
      variables: { ...place, number: key.number, ...asked.variables },
    },
    signal: asked.signal,
  };
  const { data, errors } = (await client.ask(call, toAnswerSchema(asked.thread))).data;
  const thread = data?.repository?.issueOrPullRequest;
  if (thread != null && (errors ?? []).length === 0) return thread;
  const said = (errors ?? []).map(({ message }) => message).join(' ') || 'The answer has no thread in it.';
  throw new PlatformError(`Could not ${call.doing}: ${said}`, { code: toCode(errors?.[0]?.type) });
}

function toCode(type: string | null | undefined) {
  if (type === 'NOT_FOUND') return 'not-found';
  return type === 'FORBIDDEN' ? 'forbidden' : 'unavailable';
}

function listTitles({ timelineItems }: History, since: string): readonly ThreadEdit[] {
  return presentIn(timelineItems.nodes)
    .filter(({ __typename, createdAt }) => __typename === 'RenamedTitleEvent' && !isBefore(createdAt, since))
    .map(({ actor: by, createdAt: at }) => ({ part: 'title', actor: toActor(by), at }));
}

/** The last editor covers for nobody before: what GitHub lists of the edits is looked through. */
function listBodies(history: History, since: string): readonly ThreadEdit[] {
  const { createdAt, lastEditedAt, editor, userContentEdits } = history;
  if (lastEditedAt == null || isBefore(lastEditedAt, since)) return [];
  const last: ThreadEdit = { part: 'body', actor: toActor(editor), at: lastEditedAt };
  const nodes = presentIn(userContentEdits?.nodes ?? []);
  const listed = nodes
    // What was written at the beginning is listed as well.
    .filter(({ editedAt }) => editedAt !== createdAt && !isBefore(editedAt, since))
    .map(({ editor: by, editedAt: at }): ThreadEdit => ({ part: 'body', actor: toActor(by), at }));
  const isWhole = (userContentEdits?.totalCount ?? 0) <= nodes.length;
  return [last, ...listed, ...(isWhole ? [] : [{ ...last, actor: null }])];
}

const pushesAtOnce = 100;

/**
 * Pushes to a fork, by the clock of GitHub: that of a commit is anybody's to set. To a branch of the repository itself only
 * those push who may write there.
 *
 * @see https://docs.github.com/en/rest/repos/repos#list-repository-activities
 */
async function listHeads(
  { client, repository, name }: GitHubThreadContext,
  { history, since, signal }: { readonly history: History; readonly since: string } & CallOptions,
): Promise<readonly ThreadEdit[]> {
  if (history.isCrossRepository !== true) return [];
  const unknown: ThreadEdit = { part: 'head', actor: null, at: since };
  const [owner, repo] = history.headRepository?.nameWithOwner.split('/') ?? [];
  if (owner === undefined || repo === undefined) return [unknown];
  const call = {
    doing: `read who pushed to the head of ${name}`,
    repository,
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}/activity',
    parameters: { owner, repo, ref: `refs/heads/${history.headRefName}`, per_page: pushesAtOnce },
    signal,
  };
  try {
    const { data: pushes } = await client.ask(call, z.array(activitySchema));
    const newer = pushes.filter(({ timestamp }) => !isBefore(timestamp, since));
    const isWhole = newer.length < pushes.length || pushes.length < pushesAtOnce;
    const edits = newer.map(
      ({ actor: by, timestamp: at }): ThreadEdit => ({ part: 'head', actor: toAccount(by), at }),
    );
    return isWhole && pushes[0]?.after === history.headRefOid ? edits : [...edits, unknown];
  } catch (error) {
    // A fork that we may not see: nobody can say how old its head is.
    if (isNotFound(error)) return [unknown];
    throw error;
  }
}

function presentIn<Item>(items: readonly (Item | null)[]): readonly Item[] {
  return items.filter((item) => item !== null);
}

/** GraphQL leaves out what REST ends the login of an app with. */
function toActor(user: z.output<typeof actorSchema> | null | undefined): Account | null {
  if (user == null || user.databaseId == null) return null;
  const { __typename: type, login, databaseId: id } = user;
  return toAccount({ id, type, login: type === 'Bot' ? `${login}[bot]` : login });
}
