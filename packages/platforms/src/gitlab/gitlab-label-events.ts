import { earlierOf, isBefore } from '../listings/comment-listing.ts';
import type { LabelEvent, ThreadEdit } from '../model.ts';
import type { CallOptions, EventOptions, LabelEventReader, ThreadHistory } from '../ports.ts';
import {
  type GitLabNote,
  labelEventSchema,
  noteSchema,
  stateEventSchema,
  toAccount,
  versionSchema,
} from './gitlab-answers.ts';
import type { GitLabCall, PageQuery } from './gitlab-client.ts';
import { type GitLabThreadContext, notesOf, toNoteCall, toThreadRoute } from './gitlab-context.ts';

/**
 * Reads who labeled, and the notes in which GitLab itself tells of edits and pushes since; of a merge request the versions of
 * its head as well: a push that only takes commits away leaves no note.
 *
 * @see https://docs.gitlab.com/api/resource_label_events/
 */
export function createGitLabLabelEvents(context: GitLabThreadContext): LabelEventReader {
  return {
    lastLabeled: async (name, options = {}) => {
      const events = await listLabelEvents(context, options);
      const labeled = events.filter(({ label, action }) => label?.name === name && action === 'add');
      return toLatest(context, labeled, options);
    },
  };
}

/**
 * Reads who assigned from the notes in which GitLab itself tells of it: there is no other record of assignments. Who reopened is an event.
 *
 * @see https://docs.gitlab.com/api/notes/
 * @see https://docs.gitlab.com/api/resource_state_events/
 */
export function createGitLabHistory(context: GitLabThreadContext): ThreadHistory {
  return {
    lastAssigned: async ({ login }, { since: wanted, signal } = {}) => {
      const find = (notes: readonly GitLabNote[]) =>
        notes.find((note) => assigneesIn(note).includes(login.toLowerCase()));
      const sinceOf = (note: GitLabNote) => earlierOf(note.created_at, wanted);
      const isEnough = (read: readonly GitLabNote[]) => {
        const found = find(read);
        return found !== undefined && reach(read, sinceOf(found));
      };
      const notes = await readNotes(context, { isEnough, signal });
      const note = find(notes);
      if (note === undefined) return null;
      const editsSince = await toEditsSince(context, { notes, since: sinceOf(note), signal });
      return { actor: toAccount(note.author), at: note.created_at, editsSince };
    },
    lastReopened: async (options = {}) => {
      const events = await listStateEvents(context, options);
      const reopened = events.filter(({ state }) => state === 'reopened');
      return toLatest(context, reopened, options);
    },
    listEdits: (since) => listEdits(context, since),
  };
}

interface GitLabEvent {
  readonly id: number;
  readonly user?: Parameters<typeof toAccount>[0];
  readonly created_at: string;
}

/** The latest of these events with the edits since then; null without an event. */
async function toLatest(
  context: GitLabThreadContext,
  events: readonly GitLabEvent[],
  { since, signal }: EventOptions,
): Promise<LabelEvent | null> {
  const latest = events.toSorted((one, other) => one.id - other.id).at(-1);
  if (latest === undefined) return null;
  const at = latest.created_at;
  const editsSince = await listEdits(context, { since: earlierOf(at, since), signal });
  return { actor: toAccount(latest.user), at, editsSince };
}

/** Accounts that a note of GitLab's own says were assigned, in lower case; behind "unassigned" stand those that were not. */
function assigneesIn({ system, body }: GitLabNote): readonly string[] {
  if (system !== true) return [];
  const told = /^assigned to (.+?)(?: and unassigned .*)?$/su.exec(body ?? '')?.[1] ?? '';
  return [...told.matchAll(/@([\w.-]+)/gu)].map(([, login = '']) => login.toLowerCase());
}

async function listEdits(
  context: GitLabThreadContext,
  { since, signal }: Since,
): Promise<readonly ThreadEdit[]> {
  const notes = await readNotes(context, { isEnough: (read) => reach(read, since), signal });
  return toEditsSince(context, { notes, since, signal });
}

/** Reads notes newest first, page by page, until those that were read are enough. */
async function readNotes(
  context: GitLabThreadContext,
  { isEnough, signal }: { readonly isEnough: (read: readonly GitLabNote[]) => boolean } & CallOptions,
): Promise<readonly GitLabNote[]> {
  const notes: GitLabNote[] = [];
  for (let page: PageQuery | null = { page: 1, perPage: 100 }; page !== null; ) {
    const answer = await askNotePage(context, { page, signal });
    notes.push(...answer.data);
    page = isEnough(notes) ? null : answer.next;
  }
  return notes;
}

/** Tells whether notes, newest first, go back beyond a time. */
function reach(notes: readonly GitLabNote[], since: string): boolean {
  const oldest = notes.at(-1);
  return oldest !== undefined && isBefore(oldest.created_at, since);
}

function askNotePage(
  context: GitLabThreadContext,
  { page, signal }: { readonly page: PageQuery } & CallOptions,
): Promise<{ readonly data: GitLabNote[]; readonly next: PageQuery | null }> {
  const { client, projectId, iid } = context;
  const order = { sort: 'desc', orderBy: 'created_at' } as const;
  const call: GitLabCall = {
    ...toNoteCall(context, { doing: 'read what was edited on', method: 'GET', signal }),
    send: (bound, query) => notesOf(context, bound).all(projectId, iid, { ...order, ...query }),
  };
  return client.askPage({ ...call, page }, noteSchema);
}

function listLabelEvents(context: GitLabThreadContext, { signal }: CallOptions) {
  const { client, key, projectId, iid, name, project } = context;
  const call: GitLabCall = {
    doing: `read who labeled ${name}`,
    repository: project,
    route: `GET ${toThreadRoute(context)}/resource_label_events`,
    send: (bound, page) =>
      key.type === 'gitlab_issue'
        ? new bound.gitbeaker.IssueLabelEvents(bound).all(projectId, iid, page)
        : new bound.gitbeaker.MergeRequestLabelEvents(bound).all(projectId, iid, page),
    signal,
  };
  return client.askAll(call, labelEventSchema);
}

function listStateEvents(context: GitLabThreadContext, { signal }: CallOptions) {
  const { client, key, projectId, iid, name, project } = context;
  const call: GitLabCall = {
    doing: `read who reopened ${name}`,
    repository: project,
    route: `GET ${toThreadRoute(context)}/resource_state_events`,
    send: (bound, page) => {
      const events = new bound.gitbeaker.IssueStateEvents(bound);
      // Gitbeaker does not export its class for merge requests, which differs in this field alone.
      if (key.type !== 'gitlab_issue') Object.assign(events, { resource2Type: 'merge_requests' });
      return events.all(projectId, iid, page);
    },
    signal,
  };
  return client.askAll(call, stateEventSchema);
}

interface Since extends CallOptions {
  readonly since: string;
}

/** Lists the edits that notes tell of, and the pushes that only the versions show. */
async function toEditsSince(
  context: GitLabThreadContext,
  { notes, since, signal }: { readonly notes: readonly GitLabNote[] } & Since,
): Promise<readonly ThreadEdit[]> {
  const edits = notes.filter(({ created_at: at }) => !isBefore(at, since)).flatMap(toEdits);
  return [...edits, ...(await listUntoldPushes(context, { edits, since, signal }))];
}

/**
 * Beginnings of GitLab's own notes of edits. The note of a ticked checklist item stands in place of the one of the whole
 * change of a description, whatever else was changed with it.
 */
const tellingNotes: readonly (readonly [part: ThreadEdit['part'], text: RegExp])[] = [
  ['title', /^changed (?:the )?title\b/u],
  ['body', /^changed the description\b/u],
  ['body', /^marked the (?:task|checklist item)\b/u],
  ['head', /^added \d+ (?:new )?commits?\b/u],
];

function toEdits(note: GitLabNote): readonly ThreadEdit[] {
  if (note.system !== true) return [];
  const edit = { actor: toAccount(note.author), at: note.created_at };
  return tellingNotes
    .filter(([, text]) => text.test(note.body ?? ''))
    .map(([part]): ThreadEdit => ({ part, ...edit }));
}

/** The first version is what the merge request was opened with. */
async function listUntoldPushes(
  context: GitLabThreadContext,
  { edits, since, signal }: { readonly edits: readonly ThreadEdit[] } & Since,
): Promise<readonly ThreadEdit[]> {
  const { client, key, projectId, iid, name, project } = context;
  if (key.type === 'gitlab_issue') return [];
  const call: GitLabCall = {
    doing: `read which versions ${name} had`,
    repository: project,
    route: `GET ${toThreadRoute(context)}/versions`,
    send: (bound, page) =>
      new bound.gitbeaker.MergeRequests(bound).allDiffVersions(projectId, iid, page as object),
    signal,
  };
  const versions = await client.askAll(call, versionSchema);
  const oldest = Math.min(...versions.map(({ id }) => id));
  const pushed = versions.filter(({ id, created_at: at }) => id !== oldest && !isBefore(at, since));
  const told = edits.filter(({ part }) => part === 'head').length;
  return pushed.slice(told).map(({ created_at: at }): ThreadEdit => ({ part: 'head', actor: null, at }));
}
