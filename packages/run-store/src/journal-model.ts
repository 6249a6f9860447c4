import { z } from 'zod';
import { ContextStoreError } from './context-store-error.ts';
import { type Outcome, outcomes } from './outcome.ts';

/** A value that JSON can carry; written as it is, so its keys are the caller's own snake_case. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** The least that a message must have to be written; the rest is the caller's own. */
export interface MessageLike {
  readonly role: string;
  readonly content: unknown;
}

/** Tokens of one model call, as the endpoint reported them. */
export interface CallUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input tokens that the provider read from its cache. Default 0. */
  readonly cachedInputTokens?: number | undefined;
  /** Output tokens that the model thought with. Default 0. */
  readonly reasoningTokens?: number | undefined;
  /** Cost in millionths of the currency. Default 0: it costs nothing, or its price is unknown. */
  readonly costMicros?: number | undefined;
}

/** Cost of pre-planning a run, over all processes that did. */
export interface OpeningCost extends CallUsage {
  readonly modelCalls: number;
  readonly toolCalls: number;
}

/** One revision of one comment that a message delivers. */
export interface DeliveredRevision {
  readonly id: string;
  readonly revision: string;
  readonly kind: 'added' | 'edited' | 'deleted';
  /** `line` if the message only names it, `part` if it shows a part of its text. Default: it shows the whole text. */
  readonly shown?: 'line' | 'part' | undefined;
}

/** A line of the journal that holds a message, with what it cost. */
export interface MessageEvent<Message> {
  readonly type: 'message';
  readonly message: Message;
  readonly usage: CallUsage | null;
  readonly delivers: readonly DeliveredRevision[];
  /** On the line that opens a conversation: how many lines, this one included, belong to the opening. */
  readonly opens?: number | undefined;
  /** On that line too: what was spent before the conversation was opened. */
  readonly spent?: OpeningCost | undefined;
  /** Milliseconds that the run has been active so far, over all processes. */
  readonly activeMs?: number | undefined;
}

interface ToolCall {
  readonly toolCallId: string;
  readonly tool: string;
  /** Words about this call, on one line. Default none. */
  readonly title?: string | undefined;
  readonly args: unknown;
}

export interface ToolStartedEvent extends ToolCall {
  readonly type: 'tool-started';
}

export interface ToolFinishedEvent extends ToolCall {
  readonly type: 'tool-finished';
  readonly status: 'success' | 'error';
  readonly output: string;
  /** Reason of a call that was carried out and whose work failed, such as `exit code 1`. */
  readonly failure?: string | undefined;
  readonly durationMs: number;
}

/** Something that a run keeps besides its messages, such as a comment that was seen. */
export interface FactEvent {
  readonly type: 'fact';
  /** Small letters and hyphens; the store's own names are refused. */
  readonly name: string;
  readonly data: Json;
}

/** Event that is appended to a journal. */
export type JournalEvent<Message> = MessageEvent<Message> | ToolStartedEvent | ToolFinishedEvent | FactEvent;

/** Stands for the messages `startSeq` … `endSeq` in the context. */
export interface RunSummary {
  readonly startSeq: number;
  readonly endSeq: number;
  readonly text: string;
  /** Cost of the model call that wrote it. */
  readonly usage?: CallUsage | undefined;
}

/** A message as it was written, with its number and time. */
export interface MessageEntry<Message> extends MessageEvent<Message> {
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
}

/** A fact as it was written, with its time. */
export interface FactEntry extends FactEvent {
  /** ISO 8601, UTC. */
  readonly timestamp: string;
}

/** Entry of a journal that is read back. */
export type JournalEntry<Message> =
  | MessageEntry<Message>
  | FactEntry
  | { readonly type: 'summary'; readonly summary: RunSummary };

/** End of a run, as `outcome.json` keeps it. */
export interface RunEnd {
  readonly status: Outcome;
  readonly reason: string | null;
  readonly finalText: string | null;
  readonly statistics: CallUsage & {
    readonly modelCalls: number;
    readonly toolCalls: number;
    readonly durationMs: number;
  };
  /** Data for the steps after the end, in the caller's own snake_case, such as the final comment. */
  readonly details?: unknown;
}

const call = { toolCallId: z.string(), tool: z.string() };

/** Facts that the store writes itself. */
const ownFacts: ReadonlySet<string> = new Set([
  ...['opened', 'owned', 'left', 'tool-started', 'tool-finished', 'summary', 'paused', 'resumed'],
  ...['ended', 'state', 'intent', 'settled', 'damage'],
]);

/** Tells whether a fact was appended by the store's caller. */
export function isCallersFact({ name }: Pick<FactEvent, 'name'>): boolean {
  return !ownFacts.has(name);
}

const factName = z
  .string()
  .regex(/^[a-z][a-z-]{0,63}$/, 'small letters and hyphens')
  .refine((name) => isCallersFact({ name }), "the store's own name");

const eventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    message: z.object({
      role: z.string(),
      content: z.union([z.string(), z.looseObject({}), z.array(z.unknown())]),
    }),
    usage: z.looseObject({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
    delivers: z.array(
      z.object({
        id: z.string(),
        revision: z.string(),
        kind: z.string(),
        shown: z.enum(['line', 'part']).optional(),
      }),
    ),
  }),
  z.object({ type: z.literal('tool-started'), ...call }),
  z.object({
    type: z.literal('tool-finished'),
    ...call,
    status: z.enum(['success', 'error']),
    output: z.string(),
    failure: z.string().optional(),
    durationMs: z.number(),
  }),
  z.object({ type: z.literal('fact'), name: factName, data: z.json() }),
]);

const endSchema = z.object({
  status: z.enum(outcomes),
  statistics: z.object({ modelCalls: z.number(), toolCalls: z.number() }),
});

/**
 * Tells a caller's mistake from a disk's: what is written down must be readable again.
 * @throws {ContextStoreError} `invalid`, naming the field
 */
export function checkJournalEvent(event: unknown): void {
  check(eventSchema, event, 'an event of a journal');
}

/** The same for how a run ended. @throws {ContextStoreError} `invalid`, naming the field */
export function checkRunEnd(end: unknown): void {
  check(endSchema, end, 'the end of a run');
}

function check(schema: z.ZodType, value: unknown, kind: string): void {
  const { error } = schema.safeParse(value);
  if (error === undefined) return;
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  throw new ContextStoreError(
    `This is not ${kind} and was not written: ${place}${issue?.message}. Fix the call.`,
    { code: 'invalid', cause: error },
  );
}
