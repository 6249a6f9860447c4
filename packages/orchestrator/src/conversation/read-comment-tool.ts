import type { RunTools } from '@agent/runner';
import { cutAtGrapheme, estimateTokens } from '@agent/text';
import { defineTool, ToolError } from '@agent/workspace';
import { z } from 'zod';
import { markHandledCommands } from '../inbox/commands.ts';
import type { ShownComment, ShownComments } from '../thread/shown-comments.ts';
import { markInternal, type TextGuard } from '../thread/text-guard.ts';
import { readCommentName, type ThreadShares } from '../thread/thread-shares.ts';
import type { BookedComment, ListBooked } from './thread-book.ts';

export interface ReadCommentOptions {
  readonly listBooked: ListBooked;
  readonly guard: Pick<TextGuard, 'clean' | 'wrap' | 'authorityOf'>;
  readonly shares: Pick<ThreadShares, 'result'>;
  /** False if commands in comments are left as they are. Default true: a note replaces those of trusted users. */
  readonly appliesCommands?: boolean | undefined;
  /** Records that the model was shown these comments. */
  readonly recordShown: (shown: ShownComments) => Promise<void>;
}

/** Input of the tool. */
export const commentRequestSchema = z.object({
  id: z
    .union([z.string(), z.number()])
    .optional()
    .describe('Id of one comment; "thread" for title and description'),
  number: z.int().min(1).optional().describe('Number of the comment in the conversation, from 1 (oldest)'),
  to: z.int().min(1).optional().describe('Last number of a range that begins at "number"'),
  offset: z.int().min(0).default(0).describe('Characters of the text to skip'),
});

/** Creates the tool that reads comments of the run's own thread, whole or in parts. */
export function createReadCommentTool(options: ReadCommentOptions): RunTools {
  const coverage = createCoverage();
  return {
    [readCommentName]: defineTool({
      description: readCommentDescription,
      input: commentRequestSchema,
      readOnly: true,
      run: (request, { signal }) => readComments(request, { ...options, coverage, signal }),
    }),
  };
}

/** Description of the tool that reads comments, for the model. */
export const readCommentDescription =
  'Reads comments of this conversation that are shortened, listed by their first line, or only counted: one by id or number, or a range of numbers.';

/** Request for one comment, or for a range. */
export type CommentRequest = z.infer<typeof commentRequestSchema>;

export interface ReadCommentsOptions extends ReadCommentOptions {
  /** Parts that were shown before. Default none. */
  readonly coverage?: Coverage | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads comments, as many as fit. @throws ToolError if there is no such comment */
export async function readComments(
  request: CommentRequest,
  { coverage = createCoverage(), ...options }: ReadCommentsOptions,
): Promise<string> {
  const booked = await options.listBooked();
  const wanted = selectComments(booked, request);
  const total = booked.filter(({ number }) => number !== null).length;
  const { text, shown } = await formatComments(wanted, {
    ...options,
    coverage,
    total,
    offset: request.offset,
  });
  await options.recordShown({ opening: false, comments: shown });
  return text;
}

function selectComments(
  booked: readonly BookedComment[],
  { id, number, to }: CommentRequest,
): readonly BookedComment[] {
  const numbered = booked.filter((one) => one.number !== null);
  const range = numbered.length === 0 ? 'has no comments' : `has the numbers 1 to ${numbered.length}`;
  if (id !== undefined) {
    const found = booked.find((one) => one.id === String(id)) ?? numbered[Number(id) - 1];
    if (found !== undefined) return [found];
    throw new ToolError(`The conversation has no comment with the id ${id}. It ${range}.`);
  }
  if (number === undefined) throw new ToolError('Give the "id" or the "number" of a comment.');
  const found = numbered.slice(number - 1, Math.max(number, to ?? number));
  if (found.length === 0) throw new ToolError(`The conversation ${range}; there is no number ${number}.`);
  return found;
}

/** Notes the parts of texts that were shown. */
interface Coverage {
  /** Notes a part and tells whether all parts from the beginning to the end were shown. */
  readonly cover: (comment: Pick<BookedComment, 'id' | 'body'>, part: ShownPart) => boolean;
}

/** Positions in the text, from 0; the end is exclusive. */
interface ShownPart {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

function createCoverage(): Coverage {
  const ends = new Map<string, { readonly body: string; readonly to: number }>();
  return {
    cover: ({ id, body }, { from, to, length }) => {
      const before = ends.get(id);
      const known = before?.body === body ? before.to : 0;
      const end = from <= known ? Math.max(known, to) : known;
      ends.set(id, { body, to: end });
      return end >= length;
    },
  };
}

interface FormatOptions extends ReadCommentOptions {
  readonly coverage: Coverage;
  /** Number of comments in the conversation. */
  readonly total: number;
  readonly offset: number;
  readonly signal?: AbortSignal | undefined;
}

interface FormattedComments {
  readonly text: string;
  readonly shown: readonly ShownComment[];
}

/** Room for the line that says where to read on. */
const noteTokens = 60;

/** As many as fit, oldest first. A comment that is too long by itself is shown in part. */
async function formatComments(
  wanted: readonly BookedComment[],
  options: FormatOptions,
): Promise<FormattedComments> {
  const parts: string[] = [];
  const shown: ShownComment[] = [];
  let room = options.shares.result - noteTokens;
  let isFirst = true;
  for (const comment of wanted) {
    const part = await openPart(comment, options);
    const isWhole = estimateTokens(part.format(part.text.length)) <= room;
    if (!isWhole && !isFirst) {
      parts.push(`(Read on with {"number": ${comment.number}, "to": ${wanted.at(-1)?.number}}.)`);
      break;
    }
    const chars = isWhole ? part.text.length : part.fit(room);
    parts.push(part.format(chars));
    room -= estimateTokens(part.format(chars));
    const { offset } = options;
    const shownPart = { from: offset, to: offset + chars, length: offset + part.text.length };
    const { id, body, isDeleted } = comment;
    const covered = options.coverage.cover(comment, shownPart);
    if (!isDeleted) shown.push({ id, body, isWhole: covered });
    isFirst = false;
    if (isWhole) continue;
    parts.push(`(Read on with {"id": "${comment.id}", "offset": ${options.offset + chars}}.)`);
    const next = wanted[1];
    if (next !== undefined)
      parts.push(`(The range continues with {"number": ${next.number}, "to": ${wanted.at(-1)?.number}}.)`);
    break;
  }
  return { text: parts.join('\n\n'), shown };
}

/** One comment from its offset on, ready to be cut. */
interface OpenPart {
  readonly text: string;
  readonly format: (chars: number) => string;
  /** The most characters that fit into so many tokens. */
  readonly fit: (maxTokens: number) => number;
}

async function openPart(
  comment: BookedComment,
  { guard, total, offset, signal, appliesCommands = true }: FormatOptions,
): Promise<OpenPart> {
  const { id, number, author, isOwn, createdAt, editedAt, isDeleted, visibility } = comment;
  const authority = isOwn ? 'own' : await guard.authorityOf(author, { signal });
  const clean = isDeleted ? '' : await guard.clean(comment.body, comment.url);
  if (offset > 0 && offset >= clean.length)
    throw new ToolError(`The text has ${clean.length} characters; the offset ${offset} is beyond its end.`);
  const text = clean.slice(offset).toWellFormed();
  const format = (chars: number): string => {
    const end = offset + chars;
    const facts = [
      number === null ? `Comment with id ${id}` : `Comment ${number} of ${total} (id ${id})`,
      createdAt,
      ...(isDeleted ? ['deleted since; its text is not shown'] : []),
      ...(editedAt === null || isDeleted ? [] : [`edited at ${editedAt}, newest text`]),
      ...(end - offset < clean.length ? [`characters ${offset} to ${end} of ${clean.length}`] : []),
    ];
    const part = text.slice(0, chars);
    const isApplied = appliesCommands && authority === 'trusted';
    const said = markInternal(isApplied ? markHandledCommands(part) : part, { visibility });
    const shown = guard.wrap(said, { author: author?.login ?? null, authority });
    return `${facts.join(', ')}\n${shown === '' && !isDeleted ? '(no visible text)' : shown}`.trimEnd();
  };
  const fit = (maxTokens: number): number => {
    let [low, high] = [0, text.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (estimateTokens(format(middle)) <= maxTokens) low = middle;
      else high = middle - 1;
    }
    return Math.max(1, cutAtGrapheme(text, low).length);
  };
  return { text, format, fit };
}
