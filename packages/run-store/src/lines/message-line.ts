import { ContextStoreError } from '../context-store-error.ts';
import type { MessageEntry, MessageEvent, MessageLike, OpeningCost } from '../journal-model.ts';
import { parseUsage, toUsageJson, type UsageJson } from './usage-json.ts';

/** A line of `messages.jsonl` that holds a message, as far as it is read back. */
interface MessageLine {
  readonly seq: number;
  readonly timestamp: string;
  readonly tokens: number;
  readonly message?: unknown;
  readonly usage?: UsageJson | null;
  readonly delivers?: MessageEvent<MessageLike>['delivers'] | null;
  readonly opens?: number | null;
  readonly spent?: Spent | null;
  readonly active_ms?: number | null;
}

interface Spent extends UsageJson {
  readonly model_calls: number;
  readonly tool_calls: number;
}

const optionalNames = ['cached_input_tokens', 'reasoning_tokens', 'cost_micros'];
const spentNames = ['model_calls', 'tool_calls', 'input_tokens', 'output_tokens'];

/** Written out: a schema costs a third of what reading the line's JSON costs. */
function isMessageLine(json: unknown): json is MessageLine {
  if (!isObject(json)) return false;
  const { seq, timestamp, tokens, usage, delivers, opens, spent, active_ms } = json;
  return (
    isCount(seq) &&
    seq > 0 &&
    typeof timestamp === 'string' &&
    isAmount(tokens) &&
    (usage == null || hasAmounts(usage, ['input_tokens', 'output_tokens'])) &&
    (delivers == null || (Array.isArray(delivers) && delivers.every(isDelivery))) &&
    (opens == null || (isCount(opens) && opens > 0)) &&
    (spent == null || hasAmounts(spent, spentNames)) &&
    (active_ms == null || isAmount(active_ms))
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value);
const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
const hasAmounts = (value: unknown, names: readonly string[]): boolean =>
  isObject(value) &&
  names.every((name) => isAmount(value[name])) &&
  optionalNames.every((name) => value[name] === undefined || isAmount(value[name]));

function isDelivery(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id, revision, kind } = value;
  const isKind = kind === 'added' || kind === 'edited' || kind === 'deleted';
  return typeof id === 'string' && typeof revision === 'string' && isKind;
}

/** A message as it is written down. */
interface FormattedMessage {
  /** The line of `messages.jsonl`, to be sealed. */
  readonly body: string;
  /** The line of `current.jsonl`. */
  readonly contextLine: string;
  /** Estimated, of the content. */
  readonly tokens: number;
}

/** The seed's fields, and what rebuilds the message. @see seed 002 §6, decision X14 */
export function formatMessage<Message extends MessageLike>(
  event: MessageEvent<Message>,
  place: { readonly seq: number; readonly timestamp: string },
): FormattedMessage {
  const { message, usage, delivers, opens, spent, activeMs } = event;
  const shown = toContextLine(message);
  const tokens = Math.ceil(shown.content.length / 4);
  const rest = {
    timestamp: place.timestamp,
    tokens,
    message,
    usage: usage === null ? undefined : toUsageJson(usage),
    delivers: delivers.length === 0 ? undefined : delivers,
    opens,
    spent: spent && formatSpent(spent),
    active_ms: activeMs,
  };
  // What both lines say is put into JSON once: a tool's output can be long.
  const context = JSON.stringify(shown);
  const body = `{"seq":${place.seq},${context.slice(1, -1)},${JSON.stringify(rest).slice(1)}`;
  return { body, contextLine: `${context}\n`, tokens };
}

/** A line of `current.jsonl`: what the model sees of a message. */
export function toContextLine(message: MessageLike) {
  const tool = findToolName(message);
  return { role: message.role, content: renderMessage(message), tool_name: tool ?? undefined };
}

/** Parts of a message's line that an opening needs. */
interface SlicedMessage {
  /** The line of `current.jsonl`, without its end. */
  readonly contextLine: string;
  readonly isSystem: boolean;
  /** Estimated, of the content. */
  readonly tokens: number;
}

const timeStart = ',"timestamp":"';
const tokensAfterTime = /^[^"]*","tokens":(\d+)/;
const roleStart = '"role":"';

/**
 * Takes from a line what an opening needs, without reading it whole: what a tool gave back can be long. No string in it
 * holds a quote that is not escaped, so that the first such name is the line's own.
 * @throws {ContextStoreError} `damaged`, naming a line that is none of a journal
 */
export function sliceMessageLine<Message extends MessageLike>(
  text: string,
  options: ParseMessageLineOptions<Message>,
): SlicedMessage {
  const start = text.indexOf(',') + 1;
  const time = text.indexOf(timeStart, start);
  const place = time + timeStart.length;
  const [, tokens] = tokensAfterTime.exec(text.slice(place, place + 64)) ?? [];
  if (tokens !== undefined && text.startsWith(roleStart, start)) {
    const isSystem = text.startsWith('system"', start + roleStart.length);
    return { contextLine: `{${text.slice(start, time)}}`, isSystem, tokens: Number(tokens) };
  }
  // Another program's, with its fields in another order.
  const entry = parseMessageLine(JSON.parse(text), options);
  const shown = toContextLine(entry.message);
  return {
    contextLine: JSON.stringify(shown),
    isSystem: shown.role === 'system',
    tokens: entry.tokens,
  };
}

interface ParseMessageLineOptions<Message> {
  readonly parseMessage: (json: unknown) => Message;
  readonly path: string;
  readonly line: number;
}

/**
 * Reads a line of `messages.jsonl` back.
 * @throws {ContextStoreError} `damaged`, naming the line
 */
export function parseMessageLine<Message>(
  json: unknown,
  options: ParseMessageLineOptions<Message>,
): MessageEntry<Message> & { readonly tokens: number } {
  try {
    if (!isMessageLine(json)) throw new Error('it lacks a field of a message, or has one of another kind');
    const line = json;
    const { seq, timestamp, tokens, usage, delivers, opens, spent, active_ms: activeMs } = line;
    return {
      type: 'message',
      seq,
      timestamp,
      tokens,
      message: options.parseMessage(line.message),
      usage: usage ? parseUsage(usage) : null,
      delivers: delivers ?? [],
      ...(opens ? { opens } : {}),
      ...(spent ? { spent: parseSpent(spent) } : {}),
      ...(typeof activeMs === 'number' ? { activeMs } : {}),
    };
  } catch (error) {
    const message = `Line ${options.line} of "${options.path}" is not a journal's line. Put the file back from a copy, or move the run's directory away.`;
    throw new ContextStoreError(message, { code: 'damaged', cause: error });
  }
}

function formatSpent({ modelCalls, toolCalls, ...usage }: OpeningCost): Spent {
  return { model_calls: modelCalls, tool_calls: toolCalls, ...toUsageJson(usage) };
}

function parseSpent(spent: Spent): OpeningCost {
  return { modelCalls: spent.model_calls, toolCalls: spent.tool_calls, ...parseUsage(spent) };
}

interface Part {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly toolName?: unknown;
  readonly input?: unknown;
  readonly output?: { readonly value?: unknown };
}

/** A message as plain text, for people and for readers that know no tool calls. @see seed 002 §6 */
function renderMessage(message: MessageLike): string {
  if (typeof message.content === 'string') return message.content;
  if (!Array.isArray(message.content)) return '';
  return (message.content as Part[]).map(renderPart).filter(isNotEmpty).join('\n');
}

/** The tool that a tool's message answers for; null for the messages of everybody else. */
function findToolName(message: MessageLike): string | null {
  if (message.role !== 'tool' || !Array.isArray(message.content)) return null;
  const part = (message.content as Part[]).find((candidate) => typeof candidate.toolName === 'string');
  return part === undefined ? null : String(part.toolName);
}

function renderPart(part: Part): string {
  if (part.type === 'text') return String(part.text);
  if (part.type === 'tool-call') return `[${String(part.toolName)}] ${JSON.stringify(part.input)}`;
  if (part.type === 'tool-result') return renderValue(part.output?.value);
  return '';
}

function renderValue(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isNotEmpty(text: string): boolean {
  return text !== '';
}
