import type { Account, Comment, Thread } from '@agent/platforms';
import { parseCommands } from '@agent/text';
import { readHeld, writeHeld } from '../held/held-record.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';
import type { Run } from '../run/run.ts';
import type { ThreadSnapshot } from '../run/run-thread.ts';
import { toAccount } from '../thread/trust.ts';

/** Keeps the paths that trusted users named before the run: `/allow .github/workflows/ci.yml` in the text or a comment. */
export async function keepNamedPaths(
  run: Pick<Run, 'state' | 'thread'>,
  { thread, listing }: ThreadSnapshot,
  { guard, isTrusted }: Pick<RunInbox, 'guard' | 'isTrusted'>,
): Promise<void> {
  const texts: string[] = [];
  // Most texts name nothing, and need no request for their author's permission.
  const isNaming = (body: string) => parseCommands(body, ['allow']).commands.length > 0;
  if (isNaming(thread.body) && (await isTextTrusted(run, { thread, isTrusted }))) texts.push(thread.body);
  for (const comment of listing.comments)
    if (isNaming(comment.body) && (await isTrusted(toAuthor(comment), { fresh: true })))
      texts.push(comment.body);
  const paths: string[] = [];
  for (const text of texts)
    for (const { argument } of parseCommands(await guard.clean(text), ['allow']).commands)
      paths.push(toPath(argument));
  const named = [...new Set(paths)].filter((path) => path !== '' && !/^H\d+$/iu.test(path));
  if (named.length === 0) return;
  const record = await readHeld(run.state);
  await writeHeld(run.state, { ...record, paths: named });
}

const toAuthor = ({ author }: Pick<Comment, 'author'>): Account | null =>
  author === null ? null : toAccount(author);

/** The path as git names it, also in backticks. */
function toPath(argument: string): string {
  return argument
    .replace(/^`([^`]{0,4000})`$/u, '$1')
    .trim()
    .replace(/^\.?\/+/u, '');
}

/** On some platforms more users may edit a text than give commands: all who wrote it have to be trusted. */
async function isTextTrusted(
  { thread: { ports } }: Pick<Run, 'thread'>,
  { thread, isTrusted }: { readonly thread: Thread } & Pick<RunInbox, 'isTrusted'>,
): Promise<boolean> {
  if (!(await isTrusted(thread.author, { fresh: true }))) return false;
  const edits = await ports.history?.listEdits({ since: thread.createdAt });
  if (edits === undefined) return false;
  for (const { part, actor } of edits)
    if (part === 'body' && !(await isTrusted(actor, { fresh: true }))) return false;
  return true;
}
