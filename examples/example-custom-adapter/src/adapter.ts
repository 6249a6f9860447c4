import { randomUUID } from 'node:crypto';
import { basename, resolve } from 'node:path';
import {
  type Comment,
  type CommentWriter,
  type EnsuredComment,
  type LabelEditor,
  PlatformError,
  type TaskFinder,
} from '@agent/platforms';
import { composeOwnComment, findOwnComment, isSameBody } from '@agent/platforms/comments';
import type { AdapterArguments, AdapterPlatform, AdapterThread } from '@agent/platforms/custom';
import { agent } from './task-file.ts';
import { openTaskFolder, type TaskFolder } from './task-folder.ts';
import { toThread } from './to-thread.ts';

interface FolderOptions {
  readonly tasks: string;
  readonly repository?: string;
  readonly branch?: string;
}

/** What of the daemon's arguments this adapter needs, and a clock for its tests. */
export interface FolderArguments
  extends Pick<AdapterArguments<FolderOptions>, 'name' | 'directory' | 'options'> {
  readonly now?: () => Date;
}

/** What the roles are made of. */
interface Tracker {
  readonly name: string;
  readonly folder: TaskFolder;
  readonly project: string;
  readonly now: () => Date;
}

/** Creates a platform from a folder of Markdown files, for a repository that is on no platform. */
export default function createFolderPlatform(given: FolderArguments): AdapterPlatform {
  const { name, directory, options, now = () => new Date() } = given;
  if (typeof options.tasks !== 'string')
    throw new Error('options.tasks must be the path of the folder with the tasks');
  const path = resolve(directory, options.tasks);
  const tracker = { name, folder: openTaskFolder(path), project: basename(path), now };
  return {
    identity: {
      whoAmI: async ({ signal } = {}) => {
        signal?.throwIfAborted();
        return agent;
      },
    },
    tasks: createTaskFinder(tracker),
    openThread: (key) => {
      if (key.type !== 'custom' || key.platform !== name) {
        throw new PlatformError('This key does not belong to a task in the folder.', { code: 'invalid' });
      }
      return { ...openTask(tracker, key.id), repository: describeRepository(given) };
    },
  };
}

function createTaskFinder(tracker: Tracker): TaskFinder {
  return {
    listTasks: async ({ label, assignee, state, signal }) => ({
      tasks: (await tracker.folder.list(signal))
        .map((task) => toThread(tracker, task))
        .filter((thread) => state === 'all' || thread.state === state)
        .filter(({ labels }) => label === null || labels.some(isSame(label)))
        .filter(({ assignees }) => assignee === null || assignees.some((one) => isSame(assignee)(one.login))),
      failures: [],
    }),
  };
}

function openTask(tracker: Tracker, number: string): AdapterThread {
  const { folder } = tracker;
  return {
    reader: { readThread: async ({ signal } = {}) => toThread(tracker, await folder.find(number, signal)) },
    comments: {
      // The whole thread every time: a file is small, and who edits it by hand tells nobody when.
      listComments: async ({ since, signal }) => {
        const { comments } = (await folder.find(number, signal)).file;
        const times = comments.map((one) => one.updatedAt ?? one.createdAt).sort();
        return { comments, complete: true, cursor: times.at(-1) ?? since, unchanged: false };
      },
    },
    writer: createWriter(tracker, number),
    // The file has no place for emoji and knows nothing like a pull request; whoever may write the folder may do everything.
    labels: createLabels(tracker, number),
  };
}

function createWriter({ folder, now }: Tracker, number: string): CommentWriter {
  return {
    ensureComment: async ({ topic, body, signal }) => {
      let ensured: EnsuredComment = { id: randomUUID().slice(0, 8), url: null, change: 'created' };
      await folder.change(number, signal, ({ comments }) => {
        const text = composeOwnComment({ topic, body }, { maxChars: 100_000, locale: 'en' });
        const time = now().toISOString();
        const own = findOwnComment(comments, { topic, account: agent });
        if (own === undefined) {
          const times = { createdAt: time, updatedAt: null };
          const added: Comment = {
            id: ensured.id,
            author: agent,
            body: text,
            ...times,
            url: null,
            visibility: 'public',
            subject: null,
          };
          return { comments: [...comments, added] };
        }
        ensured = { id: own.id, url: null, change: isSameBody(own.body, text) ? 'unchanged' : 'updated' };
        if (ensured.change === 'unchanged') return {};
        return {
          comments: comments.map((one) => (one === own ? { ...own, body: text, updatedAt: time } : one)),
        };
      });
      return ensured;
    },
  };
}

function createLabels({ folder }: Tracker, number: string): LabelEditor {
  const setLabels = (
    signal: AbortSignal | undefined,
    edit: (labels: readonly string[]) => readonly string[],
  ) =>
    folder.change(number, signal, ({ front }) => {
      const edited = front.clone();
      edited.set('labels', edit(front.toJS()?.labels ?? []));
      return { front: edited };
    });
  return {
    addLabel: async (label, { signal } = {}) => {
      if (label.length > 50)
        throw new PlatformError('A label can have at most 50 characters.', { code: 'invalid' });
      await setLabels(signal, (all) => (all.some(isSame(label)) ? all : [...all, label]));
    },
    removeLabel: (label, { signal } = {}) =>
      setLabels(signal, (all) => all.filter((one) => !isSame(label)(one))),
  };
}

/** `describe` is all that a run needs; the daemon answers the rest as well as it can. */
function describeRepository({ directory, options }: FolderArguments): AdapterThread['repository'] {
  if (options.repository === undefined) return null;
  const cloneUrl = resolve(directory, options.repository);
  const path = `local/${basename(cloneUrl)}`;
  const description = { id: cloneUrl, path, cloneUrl, private: true };
  return { describe: async () => ({ ...description, defaultBranch: options.branch ?? 'main' }) };
}

const isSame = (one: string) => (other: string) => one.toLowerCase() === other.toLowerCase();
