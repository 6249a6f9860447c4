import type { PromptResponse, SessionNotification, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { TokenUsage } from '../model.ts';
import type { AgentToolCall, ExecutorEvent, TurnEnd } from './executor.ts';

type Update = SessionNotification['update'];

/** Updates of one session, as events; remembers what later updates rest on. */
export class SessionUpdates {
  readonly #calls = new Map<string, AgentToolCall & { readonly output: string }>();
  readonly #ended = new Set<string>();
  #costMicros = 0;

  /** Begins with what the session is known to have cost, in millionths. */
  begin(costMicros: number): void {
    this.#costMicros = costMicros;
  }

  /** Takes one update. */
  take(update: Update): readonly ExecutorEvent[] {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return [{ type: 'text', text: toText(update.content) }];
      case 'user_message_chunk':
        return [{ type: 'user-text', text: toText(update.content) }];
      case 'tool_call':
      case 'tool_call_update':
        return this.#takeCall(update);
      case 'usage_update':
        return this.#takeCost(update.cost?.amount ?? null);
      case 'plan':
        return [
          { type: 'plan', steps: update.entries.map(({ content: text, status }) => ({ text, status })) },
        ];
      case 'agent_thought_chunk':
        return [{ type: 'activity' }];
      default:
        return [];
    }
  }

  /** Ends the calls of a turn that is over: of what became of them the agent does not say. */
  endTurn(): readonly ExecutorEvent[] {
    const open = [...this.#calls.values()].filter(({ toolCallId }) => !this.#ended.has(toolCallId));
    this.#calls.clear();
    this.#ended.clear();
    return open.map(({ output, ...call }) => ({ type: 'tool-end', ...call, status: 'error', output }));
  }

  #takeCall(update: ToolCallUpdate): readonly ExecutorEvent[] {
    const { toolCallId } = update;
    if (this.#ended.has(toolCallId)) return [];
    const known = this.#calls.get(toolCallId);
    const call = {
      toolCallId,
      tool: known?.tool ?? update.name ?? update.title ?? update.kind ?? 'tool',
      args: update.rawInput ?? known?.args ?? {},
      output: toOutput(update) ?? known?.output ?? '',
    };
    this.#calls.set(toolCallId, call);
    const { output, ...named } = call;
    const started: readonly ExecutorEvent[] =
      known === undefined ? [{ type: 'tool-start', ...named }] : [{ type: 'activity' }];
    if (update.status !== 'completed' && update.status !== 'failed') return started;
    this.#ended.add(toolCallId);
    const status = update.status === 'completed' ? 'success' : 'error';
    return [...started, { type: 'tool-end', ...named, status, output }];
  }

  /** The agent tells what the whole session has cost; some begin at nothing with each process. */
  #takeCost(amount: number | null): readonly ExecutorEvent[] {
    if (amount === null) return [];
    const told = Math.round(amount * 1_000_000);
    const costMicros = told >= this.#costMicros ? told - this.#costMicros : told;
    this.#costMicros = told;
    return [{ type: 'usage', usage: { inputTokens: 0, outputTokens: 0, costMicros } }];
  }
}

const count = z.number().nonnegative().catch(0);

/** Use of a turn, where the agent tells it: a draft of the protocol. */
const promptUsageSchema = z.object({
  usage: z.object({ inputTokens: count, outputTokens: count, cachedReadTokens: count }),
});

/** Reads what a turn used; null where the agent does not say. */
export function readPromptUsage(response: PromptResponse): TokenUsage | null {
  const parsed = promptUsageSchema.safeParse(response);
  if (!parsed.success) return null;
  const { inputTokens, outputTokens, cachedReadTokens } = parsed.data.usage;
  return {
    inputTokens,
    outputTokens,
    ...(cachedReadTokens > 0 ? { cachedInputTokens: cachedReadTokens } : {}),
  };
}

/** Converts the reason for which a turn ended. */
export function toTurnEnd(reason: PromptResponse['stopReason']): TurnEnd {
  switch (reason) {
    case 'cancelled':
      return 'canceled';
    case 'refusal':
      return 'refused';
    case 'max_tokens':
    case 'max_turn_requests':
      return 'cut-off';
    default:
      return 'done';
  }
}

function toText(content: { readonly type: string; readonly text?: unknown }): string {
  return content.type === 'text' && typeof content.text === 'string' ? content.text : '';
}

function toOutput({ content, rawOutput }: ToolCallUpdate): string | null {
  const texts = (content ?? []).flatMap((part) => (part.type === 'content' ? [toText(part.content)] : []));
  if (texts.length > 0) return texts.join('\n');
  if (rawOutput === undefined || rawOutput === null) return null;
  return typeof rawOutput === 'string' ? rawOutput : JSON.stringify(rawOutput);
}
