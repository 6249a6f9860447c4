import type { Repository, Thread, ThreadEvent } from '../state/model.ts';
import { nodeId } from '../state/node-id.ts';
import { fullName } from '../state/repositories.ts';
import type { Asking, Values } from './asking.ts';
import { graphActor } from './graph-actor.ts';
import { graphReviews } from './review-graph.ts';
import type { GraphObject } from './select.ts';

/** A repository, as far as threads are asked for. @see https://docs.github.com/en/graphql/reference/objects#repository */
export function graphRepository(repository: Repository, asking: Asking): GraphObject {
  const find = (number: unknown) => repository.threads.get(Number(number));
  return {
    __typename: 'Repository',
    nameWithOwner: fullName(repository),
    issueOrPullRequest: ({ number }: Values) => {
      const thread = find(number);
      return thread === undefined ? null : graphThread(thread, asking);
    },
    pullRequest: ({ number }: Values) => {
      const thread = find(number);
      return thread?.pull ? graphThread(thread, asking) : null;
    },
  };
}

function graphThread(thread: Thread, asking: Asking): GraphObject {
  const { pull, bodyEdits } = thread;
  const lastEdit = bodyEdits.at(-1);
  const common = {
    id: nodeId(pull ? 'PullRequest' : 'Issue', pull?.id ?? thread.id),
    number: thread.number,
    createdAt: thread.createdAt,
    lastEditedAt: lastEdit?.editedAt ?? null,
    editor: lastEdit === undefined ? null : graphActor(lastEdit.editor),
    userContentEdits: (values: Values) => graphEdits(thread, values),
    timelineItems: (values: Values) => graphTimeline(thread, values),
    comments: (values: Values) => graphComments(thread, values),
  };
  if (pull === null) return { __typename: 'Issue', ...common };
  const { headRepository } = pull;
  return {
    __typename: 'PullRequest',
    ...common,
    ...graphReviews({ ...thread, pull }, asking),
    isDraft: pull.draft,
    isInMergeQueue: pull.isInMergeQueue,
    state: pull.mergedAt ? 'MERGED' : thread.state.toUpperCase(),
    headRefOid: pull.headSha,
    headRefName: pull.headBranch,
    isCrossRepository: headRepository !== thread.repository,
    headRepository:
      headRepository === null ? null : { __typename: 'Repository', nameWithOwner: fullName(headRepository) },
  };
}

/** The last ones before a cursor, oldest first. @see https://docs.github.com/en/graphql/reference/objects#issuecomment */
function graphComments({ comments }: Thread, { last, before }: Values): GraphObject {
  const all = [...comments.values()];
  const end = before == null ? all.length : Number(before);
  const start = Math.max(0, end - Number(last));
  const nodes = all.slice(start, end).map(({ id, lastEdit }) => ({
    __typename: 'IssueComment',
    databaseId: id,
    lastEditedAt: lastEdit?.editedAt ?? null,
    editor: lastEdit === null ? null : graphActor(lastEdit.editor),
  }));
  const pageInfo = { __typename: 'PageInfo', hasPreviousPage: start > 0, startCursor: String(start) };
  return { __typename: 'IssueCommentConnection', totalCount: all.length, pageInfo, nodes };
}

/** Newest first; what was written at the beginning is the oldest of them, once there is another. */
function graphEdits({ author, createdAt, bodyEdits }: Thread, { first }: Values): GraphObject {
  const all =
    bodyEdits.length === 0 ? [] : [...bodyEdits.toReversed(), { editor: author, editedAt: createdAt }];
  const nodes = all.slice(0, Number(first)).map(({ editor, editedAt }) => ({
    __typename: 'UserContentEdit',
    editor: graphActor(editor),
    editedAt,
  }));
  return { __typename: 'UserContentEditConnection', totalCount: all.length, nodes };
}

const types: Readonly<Record<ThreadEvent['kind'], readonly [item: string, type: string]>> = {
  labeled: ['LABELED_EVENT', 'LabeledEvent'],
  unlabeled: ['UNLABELED_EVENT', 'UnlabeledEvent'],
  assigned: ['ASSIGNED_EVENT', 'AssignedEvent'],
  renamed: ['RENAMED_TITLE_EVENT', 'RenamedTitleEvent'],
  reopened: ['REOPENED_EVENT', 'ReopenedEvent'],
};

function graphTimeline({ events }: Thread, { last, itemTypes }: Values): GraphObject {
  const wanted = events.filter(({ kind }) => (itemTypes as readonly string[]).includes(types[kind][0]));
  return {
    __typename: 'TimelineItemsConnection',
    totalCount: events.length,
    nodes: wanted.slice(-Number(last)).map(graphEvent),
  };
}

function graphEvent(event: ThreadEvent): GraphObject {
  const common = {
    __typename: types[event.kind][1],
    createdAt: event.createdAt,
    actor: graphActor(event.actor),
  };
  if (event.kind === 'assigned') return { ...common, assignee: graphActor(event.assignee) };
  if (event.kind === 'reopened') return common;
  if (event.kind !== 'renamed') return { ...common, label: { __typename: 'Label', name: event.label } };
  return { ...common, previousTitle: event.from, currentTitle: event.to };
}
