import { z } from 'zod';
import { ContextStoreError } from '../context-store-error.ts';
import type { MessageEntry, MessageEvent, MessageLike, OpeningCost } from '../journal-model.ts';

const lineSchema = z.object({
  seq: z.number().int().positive(),
  timestamp: z.string(),
  tokens: z.number().nonnegative(),
  message: z.unknown(),
  usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).nullish(),
  delivers: z
    .array(z.object({ id: z.string(), revision: z.string(), kind: z.enum(['added', 'edited', 'deleted']) }))
    .nullish(),
  opens: z.number().int().positive().nullish(),
  spent: z
    .object({
      model_calls: z.number(),
      tool_calls: z.number(),
      input_tokens: z.number(),
      output_tokens: z.number(),
    })
    .nullish(),
  active_ms: z.number().nonnegative().nullish(),
});
type Spent = NonNullable<z.infer<typeof lineSchema>['spent']>;

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
    usage:
      usage === null ? undefined : { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
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
    const line = lineSchema.parse(json);
    const { seq, timestamp, tokens, usage, delivers, opens, spent, active_ms: activeMs } = line;
    return {
      type: 'message',
      seq,
      timestamp,
      tokens,
      message: options.parseMessage(line.message),
      usage: usage ? { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens } : null,
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

function formatSpent({ modelCalls, toolCalls, inputTokens, outputTokens }: OpeningCost): Spent {
  return {
    model_calls: modelCalls,
    tool_calls: toolCalls,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
  };
}

function parseSpent(spent: Spent): OpeningCost {
  return {
    modelCalls: spent.model_calls,
    toolCalls: spent.tool_calls,
    inputTokens: spent.input_tokens,
    outputTokens: spent.output_tokens,
  };
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
