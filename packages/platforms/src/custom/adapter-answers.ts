import * as z from 'zod';
import type { TaskKey } from '../task-key.ts';
import { formatTaskKey } from '../task-key.ts';

// What the answers of an adapter must have at least, so that a mistake is said where it is and not three calls later.

const isTime = (text: string) => !Number.isNaN(Date.parse(text));
const time = z.string().refine(isTime, { error: 'must be a time in ISO 8601' });

const key = z.custom<TaskKey>(
  (value) => {
    try {
      return formatTaskKey(value as TaskKey) !== undefined;
    } catch {
      // A key that has no text is none: the message below says what one is.
      return false;
    }
  },
  { error: "must be a task key, e.g. { type: 'custom', platform, project, id }, all texts" },
);

/** Permission to steer is remembered by the id: one that several people share would lend each the other's trust. */
const account = z.object({
  id: z.string().min(1),
  login: z.string().min(1),
  kind: z.enum(['person', 'bot']),
});
const number = z.number().int().min(0);

export const accountAnswer = account;

export const threadsAnswer = z.array(
  z.object({
    key,
    number,
    title: z.string(),
    labels: z.array(z.string()),
    author: account.nullable(),
    url: z.string(),
    updatedAt: time,
  }),
);

export const tasksAnswer = z.object({
  tasks: threadsAnswer,
  failures: z.array(z.object({ place: z.string().min(1), error: z.unknown() })),
});

export const threadAnswer = z.object({
  key,
  id: z.string(),
  number,
  title: z.string(),
  body: z.string(),
  author: account.nullable(),
  labels: z.array(z.string()),
  assignees: z.array(account),
  state: z.enum(['open', 'closed']),
  commentCount: number,
  createdAt: time,
  updatedAt: time,
  url: z.string(),
  confidential: z.boolean(),
  changeRequest: z
    .looseObject({ headBranch: z.string(), baseBranch: z.string(), fromFork: z.boolean() })
    .nullable(),
});

export const commentAnswer = z.object({
  id: z.string().min(1),
  author: account.nullable(),
  body: z.string(),
  createdAt: time,
  updatedAt: time.nullable(),
  url: z.string().nullable(),
  visibility: z.enum(['public', 'internal']),
});

export const commentsAnswer = z.object({
  /** Read one by one: see `createListedCommentsReader`. */
  comments: z.array(z.unknown()),
  complete: z.boolean(),
  cursor: z.string().nullable(),
  unchanged: z.boolean(),
});

export const ensuredAnswer = z.object({
  id: z.string().min(1),
  url: z.string().nullable(),
  change: z.enum(['created', 'updated', 'unchanged']),
});

export const labelEventAnswer = z
  .object({
    actor: account.nullable(),
    at: time,
    editsSince: z.array(
      z.object({ part: z.enum(['title', 'body', 'head']), actor: account.nullable(), at: time }),
    ),
  })
  .nullable();

export const accessAnswer = z.enum(['none', 'read', 'write', 'admin']);

export const repositoryAnswer = z.object({
  id: z.string().min(1),
  path: z.string().regex(/^[^/]+(\/[^/]+)+$/, 'must look like owner/repo'),
  defaultBranch: z.string().min(1),
  cloneUrl: z.string().min(1),
  private: z.boolean(),
});
