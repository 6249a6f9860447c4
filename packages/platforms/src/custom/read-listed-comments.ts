import type { Logger } from '@agent/text';
import * as z from 'zod';
import type { Account, Comment } from '../model.ts';
import { accountAnswer, commentAnswer } from './adapter-answers.ts';

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
    logger?.warn(fields, 'an adapter lists a comment that does not fit; it is read as far as it can be');
  };
  return (listed) =>
    listed.flatMap((one, index) => {
      const asPromised = commentAnswer.safeParse(one);
      // As the adapter gave it: it may carry more than the port names.
      if (asPromised.success) return [one as Comment];
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
