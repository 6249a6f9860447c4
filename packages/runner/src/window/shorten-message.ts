import type { TokenCounter } from '@agent/text';
import type { ModelMessage } from 'ai';
import { countMessageTokens, countPartTokens } from './count-tokens.ts';
import { type MissingRows, shorten } from './excerpt.ts';
import { fairShare } from './fair-share.ts';

type Part = Exclude<ModelMessage['content'], string>[number];
type ResultPart = Extract<Part, { type: 'tool-result' }>;

export interface ShortenOptions {
  readonly count: TokenCounter;
  /** Name of the message or result for the tool `read_output`; null if that tool is not available. */
  readonly handle: string | null;
}

/** Shortens the texts of a message. Signed reasoning and results with media keep their size. */
export function shortenMessage(
  message: ModelMessage,
  options: ShortenOptions & { readonly maxTokens: number },
): ModelMessage {
  const { content } = message;
  const { maxTokens, count, handle } = options;
  const what = message.role === 'tool' ? 'output' : 'message';
  if (typeof content === 'string') {
    const text = shorten(content, {
      maxTokens,
      count,
      note: (rows) => formatMissing(rows, { what, handle }),
    });
    return { ...message, content: text } as ModelMessage;
  }
  const parts: readonly Part[] = content;
  const share = fairShare(
    parts.map((part) => countPartTokens(part, count)),
    maxTokens,
  );
  const shortened = parts.map((part, index) =>
    shortenPart(part, {
      maxTokens: share,
      count,
      note: (rows) => formatMissing(rows, { what, handle: nameResult(handle, { parts, index }) }),
    }),
  );
  return { ...message, content: shortened } as ModelMessage;
}

interface MeasuredMessage {
  readonly message: ModelMessage;
  readonly tokens: number;
}

/** A message apart from a run, shortened if it is longer than its room. */
export function fitMessage(
  message: ModelMessage,
  options: { readonly maxTokens: number; readonly count: TokenCounter },
): MeasuredMessage {
  const tokens = countMessageTokens(message, options.count);
  if (tokens <= options.maxTokens) return { message, tokens };
  const shortened = shortenMessage(message, { ...options, handle: null });
  return { message: shortened, tokens: countMessageTokens(shortened, options.count) };
}

/** The newest message, shortened if need be, and as many before it as fit, oldest first. */
export function takeNewest(
  messages: readonly ModelMessage[],
  options: { readonly maxTokens: number; readonly count: TokenCounter },
): readonly MeasuredMessage[] {
  const taken: MeasuredMessage[] = [];
  let left = options.maxTokens;
  for (const message of messages.toReversed()) {
    const measured: MeasuredMessage =
      taken.length === 0
        ? fitMessage(message, options)
        : { message, tokens: countMessageTokens(message, options.count) };
    left -= measured.tokens;
    if (left < 0 && taken.length > 0) break;
    taken.unshift(measured);
  }
  return taken;
}

/** Replaces the results of a tool message by a line that says how to read them again. */
export function elideResults(
  message: ModelMessage,
  { handle }: Pick<ShortenOptions, 'handle'>,
): ModelMessage {
  if (message.role !== 'tool') return message;
  const parts: readonly Part[] = message.content;
  const content = parts.map((part, index) => {
    if (part.type !== 'tool-result') return part;
    const text = readResultText(part);
    const named = nameResult(handle, { parts, index });
    const size = `${text.split('\n').length} lines, ${text.length} characters`;
    const read = named === null ? '' : ` or read it with read_output {"handle":"${named}"}`;
    const value = `[The result of ${part.toolName} (${size}) is elided to save space. Call the tool again${read}.]`;
    return withText(part, value);
  });
  return { ...message, content } as ModelMessage;
}

function nameResult(
  handle: string | null,
  { parts, index }: { readonly parts: readonly Part[]; readonly index: number },
): string | null {
  return handle === null || parts.length === 1 ? handle : `${handle}.${index + 1}`;
}

interface PartOptions {
  readonly maxTokens: number;
  readonly count: TokenCounter;
  readonly note: (missing: MissingRows) => string;
}

function shortenPart(part: Part, options: PartOptions): Part {
  const { maxTokens, count } = options;
  const size = countPartTokens(part, count);
  if (size <= maxTokens) return part;
  switch (part.type) {
    case 'text':
      return { ...part, text: shorten(part.text, options) };
    case 'reasoning':
      return part.providerOptions === undefined ? { ...part, text: shorten(part.text, options) } : part;
    case 'file':
    case 'image':
      return { type: 'text', text: '[A file is left out here: it is too large for the context window.]' };
    case 'tool-call':
      return { ...part, input: shortenInput(part.input, options) };
    case 'tool-result': {
      if (part.output.type === 'content') return part;
      const room = maxTokens - (size - count(readResultText(part)));
      return withText(part, shorten(readResultText(part), { ...options, maxTokens: room }));
    }
    default:
      return part;
  }
}

/** Text of a result, or its JSON if it is not a text. */
export function readResultText({ output }: ResultPart): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  return JSON.stringify('value' in output ? output.value : output) ?? '';
}

function withText(part: ResultPart, value: string): ResultPart {
  const isError = part.output.type === 'error-text' || part.output.type === 'error-json';
  return { ...part, output: { type: isError ? 'error-text' : 'text', value } };
}

/** Shortens the strings of a call's arguments; arguments without long strings are replaced by a note. */
function shortenInput(input: unknown, { maxTokens, count, note }: PartOptions): unknown {
  const strings: string[] = [];
  mapStrings(input, (text) => {
    strings.push(text);
    return text;
  });
  const sizes = strings.map((text) => count(text));
  const total = count(JSON.stringify(input) ?? '');
  if (total <= shortInput) return input;
  const around = total - sizes.reduce((sum, size) => sum + size, 0);
  const share = fairShare(sizes, Math.max(0, maxTokens - around) * 0.8);
  const shortened = mapStrings(input, (text) => shorten(text, { maxTokens: share, count, note }));
  const isShort = count(JSON.stringify(shortened) ?? '') <= Math.max(maxTokens, total * 0.9);
  return isShort
    ? shortened
    : { shortened: `${JSON.stringify(input)?.length ?? 0} characters of arguments are left out` };
}

/** Arguments of at most this many tokens stay. */
const shortInput = 40;

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]));
}

function formatMissing(
  { from, to, total, chars }: MissingRows,
  { what, handle }: { readonly what: 'output' | 'message'; readonly handle: string | null },
): string {
  const rest =
    handle === null
      ? what === 'output'
        ? ' Call the tool again for a smaller part.'
        : ''
      : ` Read them with read_output {"handle":"${handle}","from_line":${from}}.`;
  return `[Lines ${from} to ${to} of the ${total} lines of this ${what} are not shown (${chars} characters), because of the context window.${rest}]`;
}
