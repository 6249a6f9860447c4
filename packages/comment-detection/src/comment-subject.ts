import type { CommentSubject, LineSubject } from '@agent/platforms';
import { cutAtGrapheme, toCodeBlock } from '@agent/text';
import * as z from 'zod';

/** Subject of a comment that is not part of the conversation, as a record keeps it. */
export const commentSubjectSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('line'),
    path: z.string(),
    first_line: z.number().nullable(),
    last_line: z.number().nullable(),
    side: z.enum(['old', 'new']),
    hunk: z.string().nullable(),
    commit: z.string().nullable(),
    outdated: z.boolean(),
    resolved: z.boolean().nullable(),
    review_thread: z.string(),
  }),
  z.object({
    kind: z.literal('review'),
    state: z.enum(['approved', 'changes-requested', 'commented', 'dismissed']),
    commit: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('check'),
    name: z.string().nullable(),
    conclusion: z.enum([
      'success',
      'failure',
      'timed-out',
      'action-required',
      'cancelled',
      'neutral',
      'skipped',
      'stale',
    ]),
    head: z.string(),
    url: z.string().nullable(),
    attempt: z.number(),
    flaky: z.boolean(),
  }),
]);

/** A subject in a record. */
type CommentSubjectJson = z.infer<typeof commentSubjectSchema>;

/** Puts a subject into a record. */
export function toSubjectJson(subject: CommentSubject): CommentSubjectJson {
  if (subject.kind !== 'line') return commentSubjectSchema.parse(subject);
  const { firstLine, lastLine, reviewThread, ...rest } = subject;
  const line = { ...rest, first_line: firstLine, last_line: lastLine, review_thread: reviewThread };
  return commentSubjectSchema.parse(line);
}

/** Takes a subject out of a record. */
export function parseSubjectJson(json: CommentSubjectJson): CommentSubject {
  if (json.kind !== 'line') return json;
  const { first_line: firstLine, last_line: lastLine, review_thread: reviewThread, ...rest } = json;
  return { ...rest, firstLine, lastLine, reviewThread };
}

const maxPathChars = 300;
const maxHunkLines = 20;
const maxHunkChars = 2_000;

/**
 * Says where a comment stands that is on lines of code: file, lines, and the end of the diff that it was written under. Empty for
 * all others. A file's name and a diff are strangers' text, so that this belongs where their words are.
 */
export function describePlace(
  subject: CommentSubject | null | undefined,
  { withHunk = true }: { readonly withHunk?: boolean } = {},
): string {
  if (subject?.kind !== 'line') return '';
  const { path, hunk, side, commit, outdated, resolved, reviewThread } = subject;
  const file = cutAtGrapheme(path.replaceAll(/\s+/g, ' '), maxPathChars);
  const facts = [
    side === 'old' ? 'as it was before the change' : '',
    outdated ? `outdated: it has changed since ${commit?.slice(0, 8) ?? 'then'}` : '',
    resolved === true ? 'resolved' : '',
    `review thread ${reviewThread}`,
  ].filter((fact) => fact !== '');
  const place = `On ${formatLines(subject)}${file} (${facts.join('; ')}):`;
  return withHunk && hunk !== null && hunk.trim() !== '' ? `${place}\n${formatHunk(hunk)}\n` : place;
}

function formatLines({ firstLine, lastLine }: Pick<LineSubject, 'firstLine' | 'lastLine'>): string {
  const last = lastLine ?? firstLine;
  if (last === null) return '';
  return firstLine === null || firstLine === last ? `line ${last} of ` : `lines ${firstLine} to ${last} of `;
}

/** The end of a hunk, which is where its comment stands. */
function formatHunk(hunk: string): string {
  const lines = hunk.trimEnd().split('\n').slice(-maxHunkLines).join('\n').slice(-maxHunkChars);
  return toCodeBlock(lines, 'diff');
}

/** The subject with nothing in it that the model may not see. */
export async function cleanSubject(
  subject: CommentSubject,
  clean: (text: string) => string | Promise<string>,
): Promise<CommentSubject> {
  if (subject.kind === 'review') return subject;
  if (subject.kind === 'check') {
    return { ...subject, name: subject.name === null ? null : await clean(subject.name) };
  }
  const [path, hunk] = await Promise.all([
    clean(subject.path),
    subject.hunk === null ? null : clean(subject.hunk),
  ]);
  return { ...subject, path, hunk };
}
