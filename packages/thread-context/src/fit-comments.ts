import { cutAtGrapheme, estimateTokens, type TokenCounter } from '@agent/text';
import { checkOptions, type Expectation, expected, expectNumber, expectOptions } from '@agent/text/options';
import { findLongest } from './find-longest.ts';

/** A comment as `fitComments` shows it. */
export interface ShownComment<Item> {
  readonly item: Item;
  /** Position in the input, from 0. */
  readonly index: number;
  /** Its text, or the beginning that fits its share. */
  readonly text: string;
  readonly isShortened: boolean;
}

/** A comment of which only the first line is shown. */
export interface ListedComment<Item> {
  readonly item: Item;
  /** Position in the input, from 0. */
  readonly index: number;
  /** Its first line with text, at most 100 characters. */
  readonly firstLine: string;
}

/** Comments that are not shown: the newer ones by their first line, the others by their number. */
export interface OlderComments<Item> {
  /** Oldest first. */
  readonly listed: readonly ListedComment<Item>[];
  /** Null if every comment is shown or listed. */
  readonly counted: CountedComments | null;
}

/** Comments that are only counted. */
export interface CountedComments {
  readonly count: number;
  /** Positions in the input, from 0, of the oldest and the newest of them; comments in between may be shown. */
  readonly first: number;
  readonly last: number;
}

/** Result of `fitComments`: every comment is in exactly one of shown, listed and counted. */
export interface FittedComments<Item> extends OlderComments<Item> {
  /** Oldest first. */
  readonly shown: readonly ShownComment<Item>[];
  /** Tokens of all formatted parts together. */
  readonly tokens: number;
}

/** Options of `fitComments`. */
export interface FitCommentsOptions<Item> {
  /** Tokens of all formatted parts together, inclusive. Only the line that counts comments is never left out. */
  readonly maxTokens: number;
  readonly textOf: (item: Item) => string;
  /** Formats one comment as the model sees it; what it adds to the text counts. Default: the text. */
  readonly formatShown?: ((shown: ShownComment<Item>) => string) | undefined;
  /** Formats the list of older comments. Default: the first lines and a count. */
  readonly formatOlder?: ((older: OlderComments<Item>) => string) | undefined;
  /** True for comments that go first: they can take 3/4 of the room. Default: all. */
  readonly isTrusted?: ((item: Item) => boolean) | undefined;
  /** Share of `maxTokens` for all other comments together. Default 1: what the trusted ones leave. */
  readonly untrustedShare?: number | undefined;
  /** Most tokens of one comment. Default: none, the share of the room decides. */
  readonly maxCommentTokens?: { readonly trusted: number; readonly untrusted: number } | undefined;
  /** Number of newest comments that can be shown. Default: all. */
  readonly maxShown?: number | undefined;
  readonly countTokens?: TokenCounter | undefined;
}

const expectations = {
  maxTokens: expectNumber(0),
  textOf: expected.function,
  formatShown: expected.function,
  formatOlder: expected.function,
  isTrusted: expected.function,
  untrustedShare: expectNumber(0, { most: 1 }),
  maxCommentTokens: expectOptions({ trusted: expectNumber(0), untrusted: expectNumber(0) }),
  maxShown: expectNumber(0, { isWhole: true }),
  countTokens: expected.function,
} as const satisfies Record<keyof FitCommentsOptions<unknown>, Expectation>;

/** Share of the budget for comments that are shown, if there has to be a list. */
const shownShare = 3 / 4;
/** Share of the room that trusted comments can take before untrusted ones get any. */
const trustedShare = 3 / 4;
/** The room is divided among so many comments, at most; a small room keeps some tokens for each. */
const mostEqualShares = 8;
const leastTokens = { trusted: 600, untrusted: 300 } as const;

const maxLineChars = 100;
/** A line of the list has at least so many tokens. */
const minLineTokens = 4;

/**
 * Decides how much of a thread a model is shown. Comments are taken newest first, trusted ones before others, each whole
 * if it fits its share of the budget and else shortened. Older ones are listed by their first line, and the rest is
 * counted. If all comments fit as they are, all are shown whole.
 *
 * @example
 * fitComments(comments, { maxTokens: 2_000, textOf: ({ body }) => body }).shown.map(({ text }) => text);
 */
export function fitComments<Item>(
  items: readonly Item[],
  options: FitCommentsOptions<Item>,
): FittedComments<Item> {
  checkOptions('FitCommentsOptions', options, expectations, ['maxTokens', 'textOf']);
  const rules = toRules(options);
  const { maxTokens } = rules;
  const whole = showAllWhole(items, rules) ?? pickAll(items, { ...rules, room: maxTokens });
  if (whole !== null) return { ...whole, listed: [], counted: null };
  const { shown, tokens } = pick(items, { ...rules, room: Math.floor(maxTokens * shownShare) });
  const shownAt = new Set(shown.map(({ index }) => index));
  const others = items.flatMap((item, index) => (shownAt.has(index) ? [] : [{ item, index }]));
  const older = fitOlder(others, { ...rules, room: maxTokens - tokens });
  return { ...older, shown, tokens: tokens + rules.countTokens(rules.formatOlder(older)) };
}

type Rules<Item> = {
  readonly [Name in keyof FitCommentsOptions<Item>]-?: NonNullable<FitCommentsOptions<Item>[Name]>;
};

function toRules<Item>(options: FitCommentsOptions<Item>): Rules<Item> {
  const none = Number.MAX_SAFE_INTEGER;
  return {
    maxTokens: options.maxTokens,
    textOf: options.textOf,
    formatShown: options.formatShown ?? (({ text, isShortened }) => (isShortened ? `${text}…` : text)),
    formatOlder: options.formatOlder ?? formatOlder,
    isTrusted: options.isTrusted ?? (() => true),
    untrustedShare: options.untrustedShare ?? 1,
    maxCommentTokens: options.maxCommentTokens ?? { trusted: none, untrusted: none },
    maxShown: options.maxShown ?? none,
    countTokens: options.countTokens ?? estimateTokens,
  };
}

function formatOlder<Item>({ listed, counted }: OlderComments<Item>): string {
  const lines = listed.map(({ firstLine, index }) => `${index + 1}. ${firstLine}`);
  return [...(counted === null ? [] : [`${counted.count} older comments`]), ...lines].join('\n');
}

interface Picked<Item> {
  /** Oldest first. */
  readonly shown: readonly ShownComment<Item>[];
  readonly tokens: number;
}

interface Room {
  readonly room: number;
}

/** Null as soon as they do not fit. */
function showAllWhole<Item>(items: readonly Item[], rules: Rules<Item>): Picked<Item> | null {
  if (items.length > rules.maxShown) return null;
  const shown: ShownComment<Item>[] = [];
  let [tokens, untrusted] = [0, 0];
  for (const [index, item] of items.entries()) {
    const one = { item, index, text: rules.textOf(item), isShortened: false };
    const size = rules.countTokens(rules.formatShown(one));
    tokens += size;
    if (!rules.isTrusted(item)) untrusted += size;
    if (tokens > rules.maxTokens || untrusted > rules.maxTokens * rules.untrustedShare) return null;
    shown.push(one);
  }
  return { shown, tokens };
}

/** The comments with the long ones shortened; null unless all are shown. */
function pickAll<Item>(items: readonly Item[], rules: Rules<Item> & Room): Picked<Item> | null {
  const picked = pick(items, rules);
  return picked.shown.length === items.length ? picked : null;
}

function pick<Item>(items: readonly Item[], rules: Rules<Item> & Room): Picked<Item> {
  const { room, isTrusted, untrustedShare, maxCommentTokens: most, maxShown } = rules;
  const oldest = Math.max(0, items.length - maxShown);
  const candidates = items.map((item, index) => ({ item, index })).slice(oldest);
  const trusted = candidates.filter(({ item }) => isTrusted(item));
  const others = candidates.filter(({ item }) => !isTrusted(item));
  const takeTrusted = (left: number) =>
    take(trusted, {
      ...rules,
      room: left,
      share: Math.min(most.trusted, toShare(room, trusted.length, leastTokens.trusted)),
      newestShare: most.trusted,
    });
  const first = takeTrusted(others.length === 0 ? room : Math.floor(room * trustedShare));
  const share = Math.min(most.untrusted, toShare(room, mostEqualShares, leastTokens.untrusted));
  const { shown, tokens } = take(others, {
    ...{ ...rules, share, newestShare: share },
    room: Math.min(room - first.tokens, Math.floor(room * untrustedShare)),
  });
  const again = takeTrusted(room - tokens);
  return {
    shown: [...shown, ...again.shown].sort((one, other) => one.index - other.index),
    tokens: tokens + again.tokens,
  };
}

/** Tokens that each of so many comments can take. */
function toShare(room: number, count: number, least: number): number {
  return Math.max(room / Math.min(Math.max(count, 1), mostEqualShares), Math.min(least, room / 2));
}

interface Place<Item> {
  readonly item: Item;
  readonly index: number;
}

interface Shares {
  /** Most tokens of one comment. */
  readonly share: number;
  /** The same of the newest one, if it stays whole by that. */
  readonly newestShare: number;
}

/** Takes the newest comments, without a gap, as far as there is room. */
function take<Item>(
  comments: readonly Place<Item>[],
  { room, share, newestShare, ...rules }: Rules<Item> & Room & Shares,
): Picked<Item> {
  const shown: ShownComment<Item>[] = [];
  let left = room;
  const sizeOf = (one: ShownComment<Item>) => rules.countTokens(rules.formatShown(one));
  for (const { item, index } of comments.toReversed()) {
    const whole = { item, index, text: rules.textOf(item), isShortened: false };
    const isNewest = shown.length === 0;
    const most = isNewest ? Math.min(newestShare, left) : share;
    const size = sizeOf(whole);
    if (!isNewest && Math.min(size, share) > left) break;
    const maxSize = isNewest ? Math.min(most, Math.max(share, left / 2)) : share;
    const one = size <= most ? whole : shorten(whole, { sizeOf, maxSize });
    if (one === null) break;
    left -= sizeOf(one);
    shown.unshift(one);
  }
  return { shown, tokens: room - left };
}

interface ShortenOptions<Item> {
  readonly sizeOf: (one: ShownComment<Item>) => number;
  readonly maxSize: number;
}

/** Null if not even one character fits. */
function shorten<Item>(
  whole: ShownComment<Item>,
  { sizeOf, maxSize }: ShortenOptions<Item>,
): ShownComment<Item> | null {
  const cut = (chars: number): ShownComment<Item> => ({
    ...whole,
    text: cutAtGrapheme(whole.text, chars),
    isShortened: true,
  });
  const chars = findLongest(whole.text.length - 1, (length) => sizeOf(cut(length)) <= maxSize);
  return chars === null || chars === 0 ? null : cut(chars);
}

/** Lists as many as fit, the newest first, and counts the others. */
function fitOlder<Item>(
  others: readonly Place<Item>[],
  { room, textOf, formatOlder, countTokens }: Rules<Item> & Room,
): OlderComments<Item> {
  const toOlder = (count: number): OlderComments<Item> => {
    const at = others.length - count;
    const [first, last] = [others[0], others[at - 1]];
    return {
      listed: others
        .slice(at)
        .map(({ item, index }) => ({ item, index, firstLine: toFirstLine(textOf(item)) })),
      counted:
        first === undefined || last === undefined
          ? null
          : { count: at, first: first.index, last: last.index },
    };
  };
  const most = Math.max(0, Math.min(others.length, Math.floor(room / minLineTokens)));
  const count = findLongest(most, (length) => countTokens(formatOlder(toOlder(length))) <= room);
  return toOlder(count ?? 0);
}

/** The first line with text, as a list shows it: on one line, at most 100 characters. */
export function toFirstLine(text: string): string {
  const line = text
    .slice(0, 20 * maxLineChars)
    .trimStart()
    .split(/[\n\v\f\r\u0085\u2028\u2029]/, 1)
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= maxLineChars ? line : `${cutAtGrapheme(line, maxLineChars).trimEnd()}…`;
}
