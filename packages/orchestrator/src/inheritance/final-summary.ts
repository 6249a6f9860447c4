import { type FinalSummary, finalSummarySchema, type InheritedDecision } from '@agent/context-inheritance';
import type { Account, Authority, Comment } from '@agent/platforms';
import type { Locale } from '@agent/text';
import { parseJson, withoutPlaceholders } from '@agent/text/json';
import { fitComments } from '@agent/thread-context';
import { markHandledCommands } from '../inbox/commands.ts';
import { toWellFormedSlice } from '../report/fit-text.ts';
import type { CleanText } from '../thread/text-guard.ts';
import { en } from './final-summary-texts.en.ts';
import { ja } from './final-summary-texts.ja.ts';

/** Bound for an answer; the summary keeps fewer of the decisions that no trusted user made. */
const mostDecisions = 50;
/** A summary is a page or two; what is far longer is none, and is not read on the main thread. */
const maxAnswerChars = 262_144;

/**
 * Reads a model's final summary: an object of JSON, alone, in a block of code, or with words around it. Null for
 * anything else, which must not be kept as if it were a summary.
 */
export function parseFinalSummary(text: string): FinalSummary | null {
  if (text.length > maxAnswerChars) return null;
  for (const candidate of listCandidates(text)) {
    const parsed = finalSummarySchema.safeParse(withoutPlaceholders(parseJson(candidate)));
    if (parsed.success) return fitSummary(parsed.data);
  }
  return null;
}

function listCandidates(text: string): readonly string[] {
  const block = findBlock(text);
  const object = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  return [text, ...(block === undefined ? [] : [block]), object];
}

/** Finds the first block of code without a language, or in JSON. */
function findBlock(text: string): string | undefined {
  const lines = text.split('\n');
  const opening = lines.findIndex((line) => /```(?:json)?$/.test(line.trimEnd()));
  const closing = lines.findIndex((line, index) => index > opening && line.trimStart().startsWith('```'));
  return opening === -1 || closing === -1 ? undefined : lines.slice(opening + 1, closing).join('\n');
}

function fitSummary({ summary, key_decisions }: FinalSummary): FinalSummary {
  return { summary, key_decisions: key_decisions.slice(0, mostDecisions) };
}

const texts: Readonly<Record<Locale, typeof en>> = { ja, en };

/** More would be cut when it is inherited. */
const maxSummaryChars = 6_000;

export interface SummaryRequestParts {
  /** Record of what was said and done in the run. */
  readonly record: string;
  /** Decisions of earlier runs that the run inherited. */
  readonly earlier: readonly EarlierDecision[];
  /** Number of earlier decisions that are not listed. Default 0. */
  readonly earlierLeftOut?: number | undefined;
  readonly comments: readonly SourceComment[];
  /** Number of comments that are not listed. Default 0. */
  readonly leftOut?: number | undefined;
  readonly locale: Locale;
  /** Marks where the record begins and ends; nobody who wrote in it knew of it. */
  readonly nonce: string;
}

/** The request for a run's final summary: what is to be written, and beneath it, as data, what it is written from. */
export function formatSummaryRequest({
  record,
  earlier,
  earlierLeftOut = 0,
  comments,
  leftOut = 0,
  locale,
  nonce,
}: SummaryRequestParts): {
  readonly instructions: string;
  readonly prompt: string;
} {
  const text = texts[locale];
  // Whatever the record says, no line in it has the code.
  const disarm = (text: string): string => text.replaceAll(nonce, '');
  const fence = (title: string, lines: readonly string[]): string =>
    [`--- ${nonce} ${title} ---`, ...lines.map(disarm), `--- ${nonce} / ---`].join('\n');
  const listed = comments.map(
    ({ id, authority, text: said }) => `[id: ${JSON.stringify(id)}, ${text[authority]}]\n${quoteLines(said)}`,
  );
  const decided = earlier.map(formatEarlier);
  const countLeftOut = (count: number) => (count === 0 ? [] : [text.leftOut(count)]);
  return {
    instructions: text.instructions({ nonce, maxChars: maxSummaryChars }),
    prompt: [
      fence(text.record, [record]),
      ...(decided.length === 0 ? [] : [fence(text.earlier, [...decided, ...countLeftOut(earlierLeftOut)])]),
      fence(text.comments, listed.length === 0 ? [text.noComments] : [...countLeftOut(leftOut), ...listed]),
    ].join('\n\n'),
  };
}

/** An earlier decision, as the model that summarizes sees it. */
export type EarlierDecision = Pick<InheritedDecision, 'id' | 'subject' | 'text'>;

function formatEarlier({ id, subject, text }: EarlierDecision): string {
  const about = subject === null ? '' : `, ${JSON.stringify(subject)}`;
  return `[id: ${JSON.stringify(id)}${about}]\n${quoteLines(text)}`;
}

/** Marks each line, so that no line of a text looks like the one that names a source. */
function quoteLines(text: string): string {
  return text
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join('\n');
}

/** Lists earlier decisions that fit, in their order, and how many more there are. */
export function fitEarlier(
  decisions: readonly EarlierDecision[],
  { countTokens, maxTokens }: Pick<SourceCommentOptions, 'countTokens' | 'maxTokens'>,
): { readonly earlier: readonly EarlierDecision[]; readonly earlierLeftOut: number } {
  let room = maxTokens;
  const firstBeyond = decisions.findIndex((decision) => {
    room -= countTokens(`${formatEarlier(decision)}\n`);
    return room < 0;
  });
  const earlier = firstBeyond === -1 ? decisions : decisions.slice(0, firstBeyond);
  return { earlier, earlierLeftOut: decisions.length - earlier.length };
}

/** A text that a decision can be based on, as the model that summarizes sees it. */
export interface SourceComment {
  /** `thread` for title and text of the issue. */
  readonly id: string;
  readonly authority: Authority;
  readonly text: string;
}

export interface SourceCommentOptions {
  readonly clean: CleanText;
  readonly authorityOf: (account: Account | null) => Promise<Authority>;
  /** Our own comments decide nothing. */
  readonly isOwn: (comment: Comment) => boolean;
  readonly countTokens: (text: string) => number;
  /** Limit for all of them together. */
  readonly maxTokens: number;
}

/** Texts that a decision can be based on, oldest first, and how many more there are. */
export interface SourceComments {
  /** Authority of the author of each, those that are not listed included. */
  readonly authorities: ReadonlyMap<string, Authority>;
  readonly comments: readonly SourceComment[];
  /** Comments that the run was shown and that are not listed for want of room. */
  readonly leftOut: number;
}

/** Enough to know a comment again in the record, where it stands whole. */
const maxTextChars = 400;

/** The comments of people within the thread's budget: the newest by their beginning, older ones by their first line. */
export async function listSourceComments(
  comments: readonly Comment[],
  { clean, authorityOf, isOwn, countTokens, maxTokens }: SourceCommentOptions,
): Promise<SourceComments> {
  const sources: SourceComment[] = [];
  const authorities = new Map<string, Authority>();
  for (const comment of comments) {
    if (isOwn(comment)) continue;
    const authority = await authorityOf(comment.author);
    authorities.set(comment.id, authority);
    const said = await clean(comment.body, comment.url);
    const text = toWellFormedSlice(
      (authority === 'trusted' ? markHandledCommands(said) : said).trim(),
      maxTextChars,
    );
    if (text !== '') sources.push({ id: comment.id, authority, text });
  }
  const sizeOf = (id: string, text: string) => `[id: "${id}", untrusted]\n${text}\n`;
  const { shown, listed, counted } = fitComments(sources, {
    maxTokens,
    countTokens,
    textOf: ({ text }) => text,
    formatShown: ({ item, text }) => sizeOf(item.id, text),
    formatOlder: (older) => older.listed.map(({ item, firstLine }) => sizeOf(item.id, firstLine)).join(''),
    isTrusted: ({ authority }) => authority === 'trusted',
  });
  const parts = [
    ...shown.map(({ item, index, text }) => ({ index, source: { ...item, text } })),
    ...listed.map(({ item, index, firstLine }) => ({ index, source: { ...item, text: firstLine } })),
  ].sort((one, other) => one.index - other.index);
  return { authorities, comments: parts.map(({ source }) => source), leftOut: counted?.count ?? 0 };
}
