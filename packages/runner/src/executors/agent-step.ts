import type { CallOptions } from '@agent/platforms';
import { fitStart } from '@agent/text';
import type { ToolCallPart, ToolModelMessage } from 'ai';
import { classifyModelError } from '../classify-model-error.ts';
import { hideInValue, journaled } from '../conversation.ts';
import { describeLimit, findExceededLimit, type RunEnding, toFailed } from '../ending.ts';
import { markResult } from '../fruitless-calls.ts';
import { askAgainOnce } from '../iterate.ts';
import type { UnusableKind } from '../lost-answer.ts';
import type { JsonValue, TokenUsage } from '../model.ts';
import { isAborted, type Run } from '../run.ts';
import type { CallSpending, SettleCall } from '../usage.ts';
import { addUsage, nothingUsed } from '../usage.ts';
import { storable } from '../window/excerpt.ts';
import { maxTitleChars, toShortLine } from './clean-values.ts';
import type { AgentToolCall, ExecutorEvent, PlanStep, TurnEnd } from './executor.ts';

type ToolEnd = Extract<ExecutorEvent, { type: 'tool-end' }>;

/** Name of the facts that tell of an agent's own plan. */
const planFactName = 'agent-plan';

/** Request to an agent that was interrupted. */
export const goOn =
  'You were interrupted here. What you did before has been kept. Continue where you were; if all is done, say what the outcome is.';

/** Call of an agent as the journal has it. */
type ShownCall = Omit<AgentToolCall, 'title'> & { readonly title?: string };

function isEmpty(args: unknown): boolean {
  return typeof args === 'object' && args !== null && Object.keys(args).length === 0;
}

/** Words and deeds of an agent since the last line of the journal, and their way into it. */
export class AgentStep {
  readonly #run: Run;
  readonly #hide: (text: string) => string;
  readonly #begun = new Map<string, number>();
  #text = '';
  #thoughtChars = 0;
  #plan: string | null = null;
  #keptPlan: string | null = null;
  #usage: TokenUsage = nothingUsed;

  /** @param hide takes out of the agent's words and deeds what nobody is to read */
  constructor(run: Run, hide: (text: string) => string) {
    this.#run = run;
    this.#hide = hide;
  }

  get text(): string {
    return this.#text;
  }

  /** Tells whether the agent talks or thinks without end: that is no answer. */
  get isTooLong(): boolean {
    return this.#text.length + this.#thoughtChars > this.#run.requests.maxAnswerChars;
  }

  /** Tokens that are not journaled yet. */
  get tokens(): Pick<TokenUsage, 'inputTokens' | 'outputTokens'> {
    return this.#usage;
  }

  /** Cost that is not journaled yet, in millionths. */
  get costMicros(): number {
    return this.#usage.costMicros ?? 0;
  }

  say(text: string): void {
    if (!this.isTooLong) this.#text += text;
  }

  think(chars: number): void {
    this.#thoughtChars += chars;
  }

  spend(usage: TokenUsage): void {
    this.#usage = addUsage(this.#usage, usage);
  }

  /** Takes the agent's plan in, which is journaled with the next thing that is done. */
  plan(steps: readonly PlanStep[]): void {
    this.#plan = JSON.stringify(steps.map(({ text, status }) => ({ text: this.#hide(text), status })));
  }

  /** Journals the agent's plan where it has changed. */
  async keepPlan(): Promise<void> {
    if (this.#plan === null || this.#plan === this.#keptPlan) return;
    this.#keptPlan = this.#plan;
    const data = JSON.parse(this.#plan) as JsonValue;
    await journaled(this.#run.settings.journal.append({ type: 'fact', name: planFactName, data }));
  }

  /** Journals that a call has begun. */
  async begin(call: AgentToolCall): Promise<void> {
    const { settings, emit, tally } = this.#run;
    const { toolCallId } = call;
    const fields = this.#toFields(call);
    await this.keepPlan();
    this.#begun.set(toolCallId, settings.now());
    await journaled(settings.journal.append({ type: 'tool-started', ...fields }));
    emit({ type: 'tool-start', step: tally.statistics().modelCalls + 1, ...fields });
  }

  /** Journals a call with its result, after what was said before it. */
  async end({ status, output: whole, wasLeft = false, ...call }: ToolEnd): Promise<void> {
    const { settings, calls, emit, tally } = this.#run;
    const { journal, now } = settings;
    const { toolCallId } = call;
    const output = storable(this.#hide(whole), { maxChars: calls.maxToolOutputChars });
    const durationMs = Math.max(0, Math.round(now() - (this.#begun.get(toolCallId) ?? now())));
    this.#begun.delete(toolCallId);
    const named = this.#toFields(call);
    const fields = { ...named, status, output, durationMs };
    await this.keepPlan();
    await journaled(journal.append({ type: 'tool-finished', ...fields }));
    const input = isEmpty(named.args) && named.title !== undefined ? { title: named.title } : named.args;
    const later = wasLeft ? this.#text : '';
    if (wasLeft) this.#text = '';
    await this.flush({ type: 'tool-call', toolCallId, toolName: named.tool, input });
    this.#text = later;
    // The protocol does not tell a tool that failed from work that failed, such as a command's: it counts as the latter.
    const failure = status === 'success' ? undefined : toShortLine(output, { maxChars: 500 }) || 'it failed';
    const result = {
      type: 'tool-result' as const,
      toolCallId,
      toolName: named.tool,
      output: { type: 'text' as const, value: output },
      ...markResult(wasLeft ? { interrupted: true } : { failure }),
    };
    const message = { role: 'tool', content: [result] } as ToolModelMessage;
    await this.#run.conversation.append(message);
    emit({ type: 'tool-end', step: tally.statistics().modelCalls, ...fields });
  }

  #toFields({ toolCallId, tool, title, args }: AgentToolCall): ShownCall {
    const isPlain = this.#hide(tool) === tool;
    const shown = title === null ? {} : { title: fitStart(this.#hide(title), maxTitleChars) };
    return { toolCallId, tool: isPlain ? tool : 'tool', ...shown, args: hideInValue(args, this.#hide) };
  }

  /** Journals what was said, and what it took. */
  async flush(call?: ToolCallPart): Promise<void> {
    const { conversation, emit, tally } = this.#run;
    const text = this.#hide(this.#text);
    const usage = this.#usage;
    this.forgetText();
    this.#usage = nothingUsed;
    const tools = call === undefined ? [] : [call.toolName];
    emit({ type: 'model-answer', by: 'agent', step: tally.statistics().modelCalls + 1, text, tools, usage });
    const said = text === '' && call !== undefined ? [] : [{ type: 'text' as const, text }];
    await conversation.append(
      { role: 'assistant', content: [...said, ...(call === undefined ? [] : [call])] },
      { usage },
    );
  }

  /** Journals what was said in a turn that ended as the agent was refused something, and tells it why: it is to go on. */
  async tellRefusal(reason: string): Promise<null> {
    await this.keepPlan();
    if (this.isUnwritten) await this.flush();
    const content = `You were refused a permission: ${this.#hide(reason)}. No one can be asked. Continue without it; where that is not possible, say in words what is missing.`;
    await this.#run.conversation.append({ role: 'user', content });
    return null;
  }

  /** Forgets what was said; what it took is still counted. */
  forgetText(): void {
    this.#text = '';
    this.#thoughtChars = 0;
  }

  /** Takes what is not journaled away. @returns what it took */
  drop(): TokenUsage {
    const usage = this.#usage;
    this.forgetText();
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

  /** True where money is limited and the agent has not told what it spends, since its turn began. */
  get isSilent(): boolean {
    return this.#spending !== null && !this.#wasTold;
  }

  beginTurn(): void {
    this.#wasTold = false;
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

/** Finds the limit of time or tokens that a run has reached, with what its agent has told since the last line of the journal. */
export function findAgentLimit(run: Run, { tokens }: Pick<AgentStep, 'tokens'>): RunEnding | null {
  const known = run.tally.statistics();
  const inputTokens = known.inputTokens + tokens.inputTokens;
  const outputTokens = known.outputTokens + tokens.outputTokens;
  const { maxDurationMs, maxTokens } = run.limits;
  const limit = findExceededLimit({ ...known, inputTokens, outputTokens }, { maxDurationMs, maxTokens });
  return limit === null ? null : toFailed(run, describeLimit(run, limit));
}

/** Reason for which a turn is over, also one that this side ended because it was too long. */
export type StepEnd = TurnEnd | 'too-long';

const flaws: Readonly<Record<StepEnd, UnusableKind | null>> = {
  done: null,
  'too-long': 'too-long',
  'cut-off': 'cut-off',
  refused: 'filtered',
  canceled: 'empty',
};

/** Journals the answer with which a turn ends; one that is of no use is met with a question. */
export async function endTurn(run: Run, step: AgentStep, end: StepEnd): Promise<RunEnding | null> {
  const why = flaws[end] ?? (step.text.trim() === '' ? 'empty' : null);
  await step.keepPlan();
  if (why !== null) return askAgainOnce(run, { why, usage: step.drop() });
  await step.flush();
  return null;
}
