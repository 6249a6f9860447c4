import type { ToolCallPart, ToolModelMessage } from 'ai';
import { classifyModelError } from '../classify-model-error.ts';
import { hideInValue, journaled } from '../conversation.ts';
import type { RunEnding } from '../ending.ts';
import { askAgainOnce } from '../iterate.ts';
import type { UnusableKind } from '../lost-answer.ts';
import type { TokenUsage } from '../model.ts';
import { fitToolOutput } from '../model-text.ts';
import type { CallSpending, SettleCall } from '../models/meter-model.ts';
import type { CallOptions } from '../ports.ts';
import { isAborted, type Run } from '../run.ts';
import { addUsage, nothingUsed } from '../usage.ts';
import type { AgentToolCall, ExecutorEvent, PlanStep, TurnEnd } from './executor.ts';

type ToolEnd = Extract<ExecutorEvent, { type: 'tool-end' }>;

/** Name of the facts that tell of an agent's own plan. */
const planFactName = 'agent-plan';

/** Request to an agent that was interrupted. */
export const goOn =
  'You were interrupted here. What you did before has been kept. Go on where you were; if all is done, say what the outcome is.';

/** Words and deeds of an agent since the last line of the journal, and their way into it. */
export class AgentStep {
  readonly #run: Run;
  readonly #begun = new Map<string, number>();
  #text = '';
  #usage: TokenUsage = nothingUsed;

  constructor(run: Run) {
    this.#run = run;
  }

  get text(): string {
    return this.#text;
  }

  /** Cost that is not journaled yet, in millionths. */
  get costMicros(): number {
    return this.#usage.costMicros ?? 0;
  }

  say(text: string): void {
    this.#text += text;
  }

  spend(usage: TokenUsage): void {
    this.#usage = addUsage(this.#usage, usage);
  }

  /** Journals the agent's plan. */
  async plan(steps: readonly PlanStep[]): Promise<void> {
    const { journal, hideKnownSecrets } = this.#run.settings;
    const data = steps.map(({ text, status }) => ({ text: hideKnownSecrets(text), status }));
    await journaled(journal.append({ type: 'fact', name: planFactName, data }));
  }

  /** Journals that a call has begun. */
  async begin({ toolCallId, tool, args }: AgentToolCall): Promise<void> {
    const { settings, emit, tally } = this.#run;
    const fields = { toolCallId, tool, args: hideInValue(args, settings.hideKnownSecrets) };
    this.#begun.set(toolCallId, settings.now());
    await journaled(settings.journal.append({ type: 'tool-started', ...fields }));
    emit({ type: 'tool-start', step: tally.statistics().modelCalls + 1, ...fields });
  }

  /** Journals a call with its result, after what was said before it. */
  async end({ toolCallId, tool, args, status, output }: ToolEnd): Promise<void> {
    const { settings, calls, emit, tally } = this.#run;
    const { hideKnownSecrets, journal, now } = settings;
    const shown = fitToolOutput(hideKnownSecrets(output), { maxChars: calls.maxToolOutputChars });
    const durationMs = Math.max(0, Math.round(now() - (this.#begun.get(toolCallId) ?? now())));
    const fields = {
      toolCallId,
      tool,
      args: hideInValue(args, hideKnownSecrets),
      status,
      output: shown,
      durationMs,
    };
    await journaled(journal.append({ type: 'tool-finished', ...fields }));
    await this.flush({ type: 'tool-call', toolCallId, toolName: tool, input: args });
    const type = status === 'success' ? 'text' : 'error-text';
    const result = {
      type: 'tool-result' as const,
      toolCallId,
      toolName: tool,
      output: { type, value: shown },
    };
    const message = { role: 'tool', content: [result] } as ToolModelMessage;
    await this.#run.conversation.append(message);
    emit({ type: 'tool-end', step: tally.statistics().modelCalls, ...fields });
  }

  /** Journals what was said, and what it took. */
  async flush(call?: ToolCallPart): Promise<void> {
    const { conversation, emit, tally, settings } = this.#run;
    const text = settings.hideKnownSecrets(this.#text);
    const usage = this.#usage;
    this.#text = '';
    this.#usage = nothingUsed;
    const tools = call === undefined ? [] : [call.toolName];
    emit({ type: 'model-answer', step: tally.statistics().modelCalls + 1, text, tools, usage, by: 'agent' });
    const said = text === '' && call !== undefined ? [] : [{ type: 'text' as const, text }];
    await conversation.append(
      { role: 'assistant', content: [...said, ...(call === undefined ? [] : [call])] },
      { usage },
    );
  }

  /** Forgets what was said; what it took is still counted. */
  forgetText(): void {
    this.#text = '';
  }

  /** Takes what is not journaled away. @returns what it took */
  drop(): TokenUsage {
    const usage = this.#usage;
    this.#text = '';
    this.#usage = nothingUsed;
    return usage;
  }

  get isUnwritten(): boolean {
    return this.#text.trim() !== '' || this.#usage !== nothingUsed;
  }
}

/**
 * Pays for what an agent tells that it has spent. It is told afterwards, so that a limit is passed by what an agent spends between two
 * words about it; nothing begins after that.
 */
export class AgentSpending {
  readonly #spending: CallSpending | null;
  #settle: SettleCall | null = null;
  #wasTold = false;

  constructor(spending: CallSpending | null) {
    this.#spending = spending;
  }

  /** True where money is limited and the agent has never told what it spends. */
  get isSilent(): boolean {
    return this.#spending !== null && !this.#wasTold;
  }

  /** Finds out whether there is anything left to spend. @returns why not, in words for people; else null */
  async admit(run: Run, { signal }: CallOptions): Promise<string | null> {
    if (this.#spending === null || this.#settle !== null) return null;
    try {
      this.#settle = await this.#spending.reserve(1, { signal });
      return null;
    } catch (error) {
      const failure = classifyModelError(error);
      if (failure.kind !== 'over-budget') throw error;
      return run.settings.texts.modelFailed({ ...failure, timeoutMs: run.requests.stepTimeoutMs });
    }
  }

  /** Takes in what the agent told. @returns as `admit` */
  async pay(run: Run, { micros, signal }: CallOptions & { readonly micros: number }): Promise<string | null> {
    this.#wasTold = true;
    if (this.#spending === null || micros === 0) return null;
    await this.#replace(micros);
    return this.admit(run, { signal });
  }

  /** Gives back what was reserved and not spent. */
  async release(): Promise<void> {
    await this.#replace(0);
  }

  async #replace(micros: number): Promise<void> {
    const settle = this.#settle;
    this.#settle = null;
    await settle?.({ micros, isPresumed: false });
  }
}

/** Keeps what was said in a turn that the run leaves, so that it is no final answer. */
export async function leaveTurn(run: Run, step: AgentStep, ending: RunEnding): Promise<RunEnding> {
  if (ending.kind === 'interrupted' && isAborted(run)) return ending;
  if (!step.isUnwritten) return ending;
  await step.flush();
  await run.conversation.append({ role: 'user', content: goOn });
  if (ending.kind !== 'ended') return ending;
  const { outcome } = ending;
  // The rest of a turn that was canceled costs something, and is no step.
  const { modelCalls } = outcome.statistics;
  return { ...ending, outcome: { ...outcome, statistics: { ...run.tally.statistics(), modelCalls } } };
}

const flaws: Readonly<Record<TurnEnd, UnusableKind | null>> = {
  done: null,
  'cut-off': 'cut-off',
  refused: 'filtered',
  canceled: 'empty',
};

/** Journals the answer with which a turn ends; one that is of no use is met with a question. */
export async function endTurn(run: Run, step: AgentStep, end: TurnEnd): Promise<RunEnding | null> {
  const why = flaws[end] ?? (step.text.trim() === '' ? 'empty' : null);
  if (why !== null) return askAgainOnce(run, { why, usage: step.drop() });
  await step.flush();
  return null;
}
