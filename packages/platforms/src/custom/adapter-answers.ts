import type { Logger } from '@agent/text';
import * as z from 'zod';
import type { Account, Comment } from '../model.ts';
import { formatTaskKey, type TaskKey } from '../task-key.ts';

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
export const reactionsAnswer = z.array(z.object({ by: account.nullable(), at: time }));
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

/** Git reads a login line by line. */
const loginLine = z.string().regex(/^[^\0\r\n]+$/u, { error: 'must be one line of text, and not empty' });
export const credentialAnswer = z.object({ username: loginLine, password: loginLine });

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

export const parentAnswer = threadAnswer.pick({
  number: true,
  title: true,
  body: true,
  author: true,
  url: true,
});

const commentAnswer = z.object({
  id: z.string().min(1),
  author: account.nullable(),
  body: z.string(),
  createdAt: time,
  updatedAt: time.nullable(),
  url: z.string().nullable(),
  visibility: z.enum(['public', 'internal']),
});

export const ownCommentsAnswer = z.array(
  commentAnswer.extend({ topic: z.string(), note: z.string().nullable() }),
);

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

export const editedAnswer = z.enum(['updated', 'unchanged', 'gone']);

const happened = z.object({ actor: account.nullable(), at: time });

export const editsAnswer = z.array(happened.extend({ part: z.enum(['title', 'body', 'head']) }));
export const labelEventAnswer = happened.extend({ editsSince: editsAnswer }).nullable();
export const commentEditAnswer = happened.nullable();

export const branchUseAnswer = z.object({ protected: z.boolean(), baseOf: z.array(z.number()) });

export const branchesAnswer = z.array(z.object({ name: z.string().min(1), sha: z.string().min(1) }));
export const changeRequestAnswer = z.object({
  number,
  url: z.string(),
  state: z.enum(['open', 'closed', 'merged']),
  draft: z.boolean(),
  title: z.string(),
  headBranch: z.string(),
  headSha: z.string(),
  baseBranch: z.string(),
  fromFork: z.boolean(),
  conflicts: z.boolean().nullish(),
});

export const changesAnswer = z.object({
  /** The comments are read one by one: see `createListedCommentsReader`. */
  changes: z.array(z.object({ thread: z.string().min(1), comment: z.unknown() })),
  since: time.nullable(),
  unchanged: z.boolean(),
});

export const accessAnswer = z.enum(['none', 'read', 'write', 'admin']);
export const repositoryAnswer = z.object({
  id: z.string().min(1),
  path: z.string().regex(/^[^/]+(\/[^/]+)+$/, 'must look like owner/repo'),
  defaultBranch: z.string().min(1),
  cloneUrl: z.string().min(1),
  private: z.boolean(),
});

export interface ListedCommentsOptions {
  /** The platform's name in the configuration. */
  readonly name: string;
  readonly logger: Pick<Logger, 'warn'> | undefined;
}

const id = z.union([z.string().min(1), z.int().transform(String)]);

/** Least that makes a comment; without either there is nothing to tell. */
const least = z.object({ id, body: z.string() });

/**
 * Makes the reader of what an adapter lists. One comment that does not fit takes no other with it: numbers become
 * texts, what is missing becomes empty, and what has no id or no body is left out. Each is named once in the log.
 */
export function createListedCommentsReader({
  name,
  logger,
}: ListedCommentsOptions): (listed: readonly unknown[]) => readonly Comment[] {
  const told = new Set<string>();
  const tell = (comment: string, error: z.ZodError): void => {
    const problem = z.prettifyError(error);
    if (told.has(`${comment} ${problem}`)) return;
    told.add(`${comment} ${problem}`);
    const fields = { platform: name, comment, problem };
    logger?.warn(fields, 'received malformed comment from adapter; using valid fields only');
  };
  return (listed) =>
    listed.flatMap((one, index) => {
      const asPromised = commentAnswer.safeParse(one);
      // As the adapter gave it: it may carry more than the port names, but no subject, which only forges have.
      if (asPromised.success) return [{ ...(one as Comment), subject: null }];
      const mended = mendComment(one);
      tell(mended?.id ?? nameOf(one, index), asPromised.error);
      return mended === null ? [] : [mended];
    });
}

function mendComment(listed: unknown): Comment | null {
  const read = least.safeParse(listed);
  if (!read.success) return null;
  const fields = listed as Readonly<Record<string, unknown>>;
  const { createdAt, updatedAt, url, visibility } = commentAnswer.shape;
  return {
    ...read.data,
    author: mendAccount(fields.author),
    createdAt: createdAt.catch('').parse(fields.createdAt),
    updatedAt: updatedAt.catch(null).parse(fields.updatedAt),
    url: url.catch(null).parse(fields.url),
    // What nobody says is public is kept from where others read.
    visibility: visibility.catch('internal').parse(fields.visibility),
    subject: null,
  };
}

/** An account that cannot be told from others is nobody: it may not steer. */
function mendAccount(author: unknown): Account | null {
  const account = accountAnswer.extend({ id, kind: accountAnswer.shape.kind.catch('person') });
  return account.nullable().catch(null).parse(author);
}

function nameOf(listed: unknown, index: number): string {
  const own = (listed as { readonly id?: unknown } | null | undefined)?.id;
  return typeof own === 'string' && own !== '' ? own : `the one at place ${index + 1}`;
}
