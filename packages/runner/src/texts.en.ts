import type { ModelFailure } from './classify-model-error.ts';
import type { AgentFailureCode } from './executors/executor.ts';

const limits = {
  maxSteps: (value: number) => `${value} model calls`,
  maxDurationMs: (value: number) =>
    value < 60_000 ? count(toSeconds(value), 'second') : count(toMinutes(value), 'minute'),
  maxTokens: (value: number) => `${value} tokens`,
  maxToolFailures: (value: number) => `${value} failures of one tool`,
};

/** A limit that a run met; `name` is the setting, as people know it. */
export interface MetLimit {
  readonly kind: keyof typeof limits;
  readonly name: string;
  readonly value: number;
}

export interface FailedTool {
  readonly tool: string;
  readonly times: number;
  readonly name: string;
  readonly lastError: string;
}

/** An action that failed for good. */
export interface FailedAction {
  readonly task: string;
  readonly detail: string;
}

/** Failure of an agent; `detail` are its words about it. */
export interface FailedAgent {
  readonly code: AgentFailureCode;
  readonly detail: string | null;
}

const agentFailures: Readonly<Record<AgentFailureCode, string>> = {
  'not-started': 'It could not be started. Check that it is installed and in PATH (executor.acp.command).',
  ended: 'It ended again and again before it had done anything. Check that it runs by itself.',
  silent: 'It did not answer in time. Check that it reaches its model (network.allow), or allow more time.',
  refused: 'It refused what it was asked. Check its version and its own settings.',
  'needs-login':
    'It has to be signed in first. Give it its credential by a variable that executor.acp.env names: nobody can sign it in here.',
  'other-version':
    'It speaks another version of the Agent Client Protocol. Use a version of the agent that speaks version 1.',
  'turn-failed':
    'It failed again and again to take a turn. Check that its model can be asked (its key, its limits, network.allow).',
  'no-session': 'It opened no session. Check that it runs in an empty home.',
  nonsense:
    'It does not keep to the Agent Client Protocol. Check executor.acp.command and args: its standard output has to be the protocol alone.',
};

type FailedCall = Pick<ModelFailure, 'kind' | 'status' | 'detail'> & { readonly timeoutMs: number };

/** Reasons that people read when a run did not complete. */
export const en = {
  paused: 'The run was paused.',
  stopped: 'The run was stopped.',
  /** Why a run in planning mode is paused, and goes on by itself. */
  waitsForAnswer: 'The run waits for an answer to its questions.',
  waitsForApproval: 'The run waits until its plan is approved.',
  /** Why a plan did not come to its end. */
  actionFailed: ({ task, detail }: FailedAction) =>
    `The action "${task}" failed and the plan ends with it (planning.continue_on_error is false). ${detail}`,
  noPlanToApprove:
    'The model made no plan that could be carried out, and nothing may be done before a plan is approved (planning.approval).',
  limitReached: ({ kind, name, value }: MetLimit) =>
    `The run reached its limit of ${limits[kind](value)} before it was done. Raise "${name}", or make the task smaller.`,
  toolFailed: ({ tool, times, name, lastError }: FailedTool) =>
    `The tool "${tool}" failed ${times} times in a row ("${name}"). Its last error: ${lastError}`,
  sameCall: ({ tool, times }: Pick<FailedTool, 'tool' | 'times'>) =>
    `The model made the same call of "${tool}" ${times} times in a row with the same result, also after it was asked not to.`,
  /** Why a run is left whose model is not to be asked now. */
  modelAway: 'The model cannot be asked now. The run is kept and goes on later.',
  answersOthers: 'It fails on this request; it answers others.',
  modelFailed: (failure: FailedCall): string => {
    const detail = failure.detail === null ? '' : ` Its words: ${failure.detail}`;
    const { status, timeoutMs } = failure;
    switch (failure.kind) {
      case 'unauthorized':
        return `The model's endpoint refused the API key. Check the key and what it may use.`;
      case 'no-quota':
        return `The account at the model's endpoint has nothing left to spend. Top it up, or raise its limit.${detail}`;
      case 'untrusted-certificate':
        return `The certificate of the model's endpoint is not trusted. Name its authority in NODE_EXTRA_CA_CERTS.${detail}`;
      case 'answer-too-long':
        return "The model's endpoint sent an answer that was too long to be taken. Check the endpoint, or allow longer answers.";
      case 'unknown-model':
        return `The model's endpoint does not know the model or the address. Check model and base URL.${detail}`;
      case 'rate-limited':
        return `The model's endpoint refuses further calls for now. Wait, or check the account's limits.${detail}`;
      case 'context-too-long':
        return `The conversation no longer fits the model's context. Use a model with a longer one, or a smaller task.${detail}`;
      case 'unreachable':
        return `The model's endpoint could not be reached. Check that it runs and that the base URL is right.${detail}`;
      case 'timeout':
        return `The model gave no answer within ${count(toSeconds(timeoutMs), 'second')}. Check the endpoint, or allow more time.`;
      case 'nonsense':
        return `The model's endpoint sent an answer that cannot be read. Check that the base URL leads to an OpenAI-compatible endpoint.`;
      case 'server-error':
        return `The model's endpoint failed (HTTP ${status}). Try again later.${detail}`;
      case 'refused':
        return `The model's endpoint refused the request (HTTP ${status}).${detail}`;
      case 'over-budget':
        return `The run ended at its limit of ${failure.detail}. What it has done is kept. Raise the limit ("/budget" with an amount, or limits.max_cost) to have it go on.`;
      case 'unknown':
        return `The model call failed.${detail}`;
    }
  },
  unusableAnswer: {
    phase:
      'The model twice answered as if a plan were asked for, and did nothing. Use another model, or switch planning mode off (planning.enabled).',
    empty:
      'The model twice gave an answer with nothing in it. Check that the model can use tools, or take another one.',
    'cut-off':
      "The model's answer was twice cut off at its maximum length. Allow longer answers (or a longer context) at the endpoint.",
    'call-in-words':
      'The model twice wrote a tool call as text, which calls nothing. Use a model (or a chat template of its server) that makes real tool calls.',
    filtered:
      "The model's endpoint twice withheld the answer because of its content filter. Word the task differently, or use another model.",
    'too-long':
      'The model twice gave an answer that was too long to be taken. Check the model, or allow longer answers.',
  },
  /** Why a run ends that an agent with a loop of its own worked on. */
  agentFailed: ({ code, detail }: FailedAgent) =>
    `The agent could not go on. ${agentFailures[code]}${detail === null ? '' : ` Detail: ${detail}`}`,
  agentForgets: 'The agent lost what it was told again and again, and says that it has it.',
  agentTellsNoCost:
    'The agent does not tell what it spends, or not in the currency of llm.currency, so that a limit of costs cannot be kept. Use another agent, or take the limit away (limits.max_cost).',
  agentAsksForever: (times: number) => `The agent was refused ${times} permissions and kept asking.`,
  journalFailed: ({ isFull, detail }: { readonly isFull: boolean; readonly detail: string }) =>
    isFull
      ? `The run's journal could not be written: the disk is full. Free some space and start the task again. (${detail})`
      : `The run's journal could not be read or written. (${detail})`,
};

function count(value: number, unit: string): string {
  return `${value} ${value === 1 ? unit : `${unit}s`}`;
}

/** Milliseconds as people read seconds: `600`, `0.2`; never 0 for a time that is not none. */
export function toSeconds(milliseconds: number): number {
  return rounded(milliseconds / 1_000);
}

/** Milliseconds as people read minutes: `120`, `1.5`. */
export function toMinutes(milliseconds: number): number {
  return rounded(milliseconds / 60_000);
}

function rounded(value: number): number {
  return value < 1 ? Number(value.toPrecision(1)) : Math.round(value * 10) / 10;
}
