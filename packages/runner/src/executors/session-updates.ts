import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { TokenUsage } from '../model.ts';
import { boundValue, countSchema, maxTitleChars, toShortLine, toShownText } from './clean-values.ts';
import type { AgentToolCall, ExecutorEvent, PlanStep } from './executor.ts';
import type { SessionCost } from './session-cost.ts';

const updateSchema = z.object({ sessionUpdate: z.string() }).loose();

/** Update of a session, of any kind. */
export type Update = z.infer<typeof updateSchema>;

const notificationSchema = z.object({ sessionId: z.string(), update: updateSchema });

/** Reads a notification of `session/update`; null for what is none. */
export function readNotification(params: unknown): z.infer<typeof notificationSchema> | null {
  return notificationSchema.safeParse(params).data ?? null;
}

const maxIdChars = 200;
const maxArgsChars = 50_000;
const maxOutputChars = 200_000;
const maxPlanSteps = 100;
const maxOpenCalls = 256;
const maxEndedCalls = 10_000;

/** Updates of one session, as events; remembers what later updates rest on. */
export class SessionUpdates {
  readonly #calls = new Map<string, AgentToolCall & { readonly output: string }>();
  readonly #ended = new Set<string>();
  readonly #cost: SessionCost;
  /** Tokens of its context, as it told them in this turn: so many were read at least. */
  #usedTokens = 0;

  constructor(cost: SessionCost) {
    this.#cost = cost;
  }

  /** Takes one update. One that does not fit the protocol, or of a kind that nobody knows, tells nothing. */
  take(update: Update): readonly ExecutorEvent[] {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return toChunk(update, (text) => ({ type: 'text', text: toShownText(text) }));
      case 'agent_thought_chunk':
        return toChunk(update, ({ length }) => ({ type: 'activity', chars: Math.max(1, length) }));
      case 'tool_call':
      case 'tool_call_update':
        return this.#takeCall(update);
      case 'usage_update':
        return this.#takeUsage(update);
      case 'plan':
        return takePlan(update);
      default:
        return [];
    }
  }

  /** Ends a turn, and the calls of it: of what became of them the agent does not say. */
  endTurn(end: readonly ExecutorEvent[]): readonly ExecutorEvent[] {
    const open = [...this.#calls.values()];
    this.#calls.clear();
    this.#ended.clear();
    const left = open.map(({ output, ...call }) => ({
      ...{ type: 'tool-end' as const, ...call, status: 'error' as const, wasLeft: true },
      output: toShownText(fitEnds(output)),
    }));
    const settled = end.map((event) =>
      event.type === 'usage' ? { ...event, usage: this.#settle(event.usage) } : event,
    );
    this.#usedTokens = 0;
    return [...left, ...settled];
  }

  #takeCall(update: Update): readonly ExecutorEvent[] {
    const { data: told } = callSchema.safeParse(update);
    if (told === undefined) return [];
    const toolCallId = toCallId(told.toolCallId);
    if (this.#ended.has(toolCallId)) return [];
    const known = this.#calls.get(toolCallId);
    const isOver = told.status === 'completed' || told.status === 'failed';
    // A call too many is noted when it ends.
    if (known === undefined && !isOver && this.#calls.size >= maxOpenCalls) return [{ type: 'activity' }];
    const args =
      told.rawInput === undefined ? known?.args : boundValue(told.rawInput, { maxChars: maxArgsChars });
    const title = toTitle(told) ?? known?.title ?? null;
    const named = { toolCallId, tool: known?.tool ?? toToolName(told), title, args: args ?? {} };
    const output = toOutput(told) ?? withPrinted(known?.output ?? '', told);
    const started: readonly ExecutorEvent[] =
      known === undefined ? [{ type: 'tool-start', ...named }] : [{ type: 'activity' }];
    if (!isOver) {
      this.#calls.set(toolCallId, { ...named, output });
      return started;
    }
    this.#calls.delete(toolCallId);
    this.#rememberEnd(toolCallId);
    const status = told.status === 'completed' ? 'success' : 'error';
    return [...started, { type: 'tool-end', ...named, status, output: toShownText(fitEnds(output)) }];
  }

  #rememberEnd(toolCallId: string): void {
    this.#ended.add(toolCallId);
    const [oldest] = this.#ended;
    if (this.#ended.size > maxEndedCalls && oldest !== undefined) this.#ended.delete(oldest);
  }

  #takeUsage({ used, cost }: Update): readonly ExecutorEvent[] {
    const costMicros = this.#cost.take(cost);
    const inputTokens = Math.max(0, countSchema.parse(used) - this.#usedTokens);
    if (costMicros === null && inputTokens === 0) return [];
    this.#usedTokens += inputTokens;
    const told = costMicros === null ? {} : { costMicros };
    return [{ type: 'usage', usage: { inputTokens, outputTokens: 0, ...told } }];
  }

  /** Takes from the use of a whole turn what was told while it lasted. */
  #settle(usage: TokenUsage): TokenUsage {
    const inputTokens = Math.max(0, usage.inputTokens - this.#usedTokens);
    const more = Math.max(0, this.#usedTokens - usage.inputTokens);
    return { ...usage, inputTokens, outputTokens: Math.max(0, usage.outputTokens - more) };
  }
}

const textSchema = z.object({ content: z.object({ type: z.literal('text'), text: z.string() }) });

function toChunk(update: Update, toEvent: (text: string) => ExecutorEvent): readonly ExecutorEvent[] {
  const text = readText(update);
  return text === null ? [] : [toEvent(text)];
}

/** Reads the words of an update; null where it has none. */
export function readText(update: unknown): string | null {
  return textSchema.safeParse(update).data?.content.text ?? null;
}

const word = z.string().nullish().catch(null);
const callSchema = z.object({
  toolCallId: z.string().min(1),
  ...{ name: word, title: word, kind: word, status: word },
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  content: z.array(z.unknown()).nullish().catch(null),
  /** Codex shows what a call prints beside the terminal of the protocol, also to a client that has none. */
  _meta: z
    .object({ terminal_output_delta: z.object({ data: z.string() }) })
    .nullish()
    .catch(null),
});

const toolName = /^[A-Za-z0-9_-]{1,64}$/u;
const kinds: ReadonlySet<string> = new Set([
  ...['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode', 'other'],
]);

/** Names the tool of a call: agents put sentences where others put names. */
function toToolName({ name, kind }: Pick<z.infer<typeof callSchema>, 'name' | 'kind'>): string {
  if (typeof name === 'string' && toolName.test(name)) return name;
  return typeof kind === 'string' && kinds.has(kind) ? kind : 'tool';
}

/** Longer than it is shown, so that no part of a secret is left at its end when the whole one is hidden. */
function toTitle({ title }: Pick<z.infer<typeof callSchema>, 'title'>): string | null {
  const line = toShortLine(title ?? '', { maxChars: 10 * maxTitleChars });
  return line === '' ? null : line;
}

/** Ids go into messages and files as they are: one that is not short and plain is replaced by a hash. */
function toCallId(id: string): string {
  if (id.length <= maxIdChars && /^[\x21-\x7e]+$/u.test(id)) return id;
  return createHash('sha256').update(id).digest('hex').slice(0, 32);
}

/** Parts of a result; an agent may send any number. */
const maxParts = 200;

function toOutput({ content, rawOutput }: z.infer<typeof callSchema>): string | null {
  const texts = (content ?? []).slice(0, maxParts).flatMap((part) => readText(part) ?? []);
  if (texts.length > 0) return fitEnds(texts.join('\n'));
  if (rawOutput === undefined || rawOutput === null) return null;
  if (typeof rawOutput === 'string') return fitEnds(rawOutput);
  return JSON.stringify(boundValue(rawOutput, { maxChars: maxOutputChars }));
}

/** Characters of pieces that may come before an output is cut again. */
const maxUncutChars = 20_000;

/** Adds a piece of what a call prints. It is cleaned at the end: an escape sequence may lie in two pieces. */
function withPrinted(output: string, { _meta }: z.infer<typeof callSchema>): string {
  const printed = output + (_meta?.terminal_output_delta.data ?? '');
  return printed.length > maxOutputChars + maxUncutChars ? fitEnds(printed) : printed;
}

/** Start and end of an output are where its sense is. */
function fitEnds(text: string): string {
  if (text.length <= maxOutputChars) return text;
  const half = maxOutputChars / 2;
  return `${text.slice(0, half)}\n…\n${text.slice(-half)}`.toWellFormed();
}

const planSchema = z.object({ entries: z.array(z.unknown()) });
const stepSchema = z.object({
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']).catch('pending'),
});

function takePlan(update: Update): readonly ExecutorEvent[] {
  const { data } = planSchema.safeParse(update);
  if (data === undefined) return [];
  const steps = data.entries.slice(0, maxPlanSteps).flatMap((entry): readonly PlanStep[] => {
    const step = stepSchema.safeParse(entry).data;
    return step === undefined
      ? []
      : [{ text: toShortLine(step.content, { maxChars: 500 }), status: step.status }];
  });
  return [{ type: 'plan', steps }];
}
