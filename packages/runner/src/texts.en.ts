import type { ModelFailure } from './classify-model-error.ts';
import type { AgentFailureCode } from './executors/executor.ts';

const limits = {
  maxSteps: (value: number) => `${value} model calls`,
  maxDurationMs: (value: number) =>
    value < 60_000 ? count(toSeconds(value), 'second') : count(toMinutes(value), 'minute'),
  maxTokens: (value: number) => `${value} tokens`,
  maxToolFailures: (value: number) => `${value} failures of one tool`,
};

/** A limit that a run reached; `name` is the name of its setting. */
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

/** An action that is not tried again. */
export interface FailedAction {
  readonly task: string;
  readonly detail: string;
}

/** Failure of an agent; `detail` is its own error message. */
export interface FailedAgent {
  readonly code: AgentFailureCode;
  readonly detail: string | null;
}

const agentFailures: Readonly<Record<AgentFailureCode, string>> = {
  'not-started': 'It could not be started. Check that it is installed and in PATH (executor.acp.command).',
  ended: 'It exited repeatedly before doing anything. Check that it runs on its own.',
  silent: 'It did not answer in time. Check that it can reach its model (network.allow), or allow more time.',
  refused: 'It refused the request. Check its version and its own settings.',
  'needs-login':
    'It is not signed in, and there is no interactive sign-in here. Pass its credential in a variable that executor.acp.env names.',
  'other-version':
    'It speaks another version of the Agent Client Protocol. Use a version of the agent that supports version 1.',
  'turn-failed':
    'Its turns failed repeatedly. Check that it can call its model (API key, limits, network.allow).',
  'no-session': 'It opened no session. Check that it runs with an empty home directory.',
  nonsense:
    'It does not follow the Agent Client Protocol. Check executor.acp.command and args: its standard output must contain only protocol messages.',
};

type FailedCall = Pick<ModelFailure, 'kind' | 'status' | 'detail'> & { readonly timeoutMs: number };

/** Reasons, shown to people, why a run did not complete. */
export const en = {
  paused: 'The run was paused.',
  stopped: 'The run was stopped.',
  /** Why a run in planning mode is paused until it resumes by itself. */
  waitsForAnswer: 'The run is waiting for answers to its questions.',
  waitsForApproval: 'The run is waiting for its plan to be approved.',
  /** Why a plan was abandoned. */
  actionFailed: ({ task, detail }: FailedAction) =>
    `The action "${task}" failed, so the plan was abandoned (planning.continue_on_error is false). ${detail}`,
  noPlanToApprove:
    "The model didn't produce a usable plan, and nothing can be changed before a plan is approved (planning.approval).",
  limitReached: ({ kind, name, value }: MetLimit) =>
    `The run reached its limit of ${limits[kind](value)} before it was done. Raise "${name}", or make the task smaller.`,
  toolFailed: ({ tool, times, name, lastError }: FailedTool) =>
    `The tool "${tool}" failed ${times} times in a row, which is the limit ("${name}"). Last error: ${lastError}`,
  sameCall: ({ tool, times }: Pick<FailedTool, 'tool' | 'times'>) =>
    `The model repeated the same call of "${tool}" ${times} times in a row with the same result, even after a warning.`,
  /** Why a run is put aside while its model is not available. */
  modelAway: 'The model is not available now. The run is saved and will resume later.',
  answersOthers: 'Only this request fails; the endpoint answers others.',
  modelFailed: (failure: FailedCall): string => {
    const detail = failure.detail === null ? '' : ` Details: ${failure.detail}`;
    const { status, timeoutMs } = failure;
    switch (failure.kind) {
      case 'unauthorized':
        return `The model's endpoint refused the API key. Check the key and its permissions.`;
      case 'no-quota':
        return `The account at the model's endpoint has no credit left. Top it up, or raise its limit.${detail}`;
      case 'no-tools':
        return `The model cannot call tools, or its server does not let it. Use a model with tool support, or turn it on at the server (vLLM: --enable-auto-tool-choice and --tool-call-parser; llama.cpp: --jinja), or set llm.text_tool_calls.${detail}`;
      case 'untrusted-certificate':
        return `The certificate of the model's endpoint is not trusted. Set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority.${detail}`;
      case 'answer-too-long':
        return "The model's endpoint sent an answer that was too long. Check the endpoint, or allow longer answers.";
      case 'unknown-model':
        return `The model's endpoint does not know the model or the address. Check the model name and the base URL.${detail}`;
      case 'rate-limited':
        return `The model's endpoint refuses further calls for now. Wait, or check the account's limits.${detail}`;
      case 'not-ready':
        return `The model is not ready at its endpoint: it is loading, was unloaded, or is overloaded. Try again later.${detail}`;
      case 'context-too-long':
        return `The model's endpoint refused even shortened requests as too long. Set "llm.context_length" to the window that the model is loaded with.${detail}`;
      case 'unreachable':
        return `The model's endpoint could not be reached. Check that it runs and that the base URL is right.${detail}`;
      case 'timeout':
        return `The model did not answer within ${count(toSeconds(timeoutMs), 'second')}. Check the endpoint, or allow more time.`;
      case 'nonsense':
        return `The model's endpoint sent an answer that could not be parsed. Check that the base URL points to an OpenAI-compatible endpoint.`;
      case 'server-error':
        return `The model's endpoint failed (HTTP ${status}). Try again later.${detail}`;
      case 'bad-call':
        return `The model wrote a tool call that its endpoint could not parse. Use another model, or another chat template at the server.${detail}`;
      case 'unclear':
        return `The model's endpoint refused the request (HTTP ${status}).${detail}`;
      case 'refused':
        return `The content filter of the model's endpoint refused the request (HTTP ${status}). Word the task differently, or use another model.${detail}`;
      case 'over-budget':
        return `The run ended at its limit of ${failure.detail}. Its work so far is saved. To continue, raise the limit ("/budget" with an amount, or limits.max_cost).`;
      case 'unknown':
        return `The model call failed.${detail}`;
    }
  },
  unusableAnswer: {
    phase:
      'The model answered with a plan twice instead of doing the work. Use another model, or turn off planning mode (planning.enabled).',
    empty: 'The model returned an empty answer twice. Check that it can use tools, or use another model.',
    'cut-off':
      "The model's answer was cut off at its maximum length twice. Allow longer answers (or a larger context window) at the endpoint.",
    'text-call':
      'The model does not call tools: it wrote its calls as text, even after two corrections, so they were not run. Use a model (or a chat template for its server) that makes real tool calls.',
    'quoted-call':
      'The model repeated tool calls that a comment, a file or a result contains, even after two corrections. Such calls are not run.',
    'other-form':
      'The model does not call tools: even after two corrections, its calls were not in the form that `llm.text_tool_calls` names, so they were not run. Name the template of the model there.',
    'unparsed-call':
      "The model repeatedly wrote tool calls that its endpoint couldn't parse. Use another model, or another chat template at the server.",
    filtered:
      "The content filter of the model's endpoint blocked the answer twice. Word the task differently, or use another model.",
    'too-long': "The model's answer was too long twice. Check the model, or allow longer answers.",
  },
  /** Why the model would not answer, in its own words. */
  refusedToAnswer: (words: string) => `The model refused to answer: ${words}`,
  /** Instructions, tools and the newest message together are larger than the window. */
  windowTooSmall: (tokens: number) =>
    `The context window of ${tokens} tokens is too small for the instructions, the tools and the newest message. Load the model with a larger window and set "llm.context_length", or use another model.`,
  /** Why a run of an external agent ends. */
  agentFailed: ({ code, detail }: FailedAgent) =>
    `The agent couldn't continue. ${agentFailures[code]}${detail === null ? '' : ` Details: ${detail}`}`,
  agentForgets: 'The agent repeatedly lost messages that it reports as received.',
  agentTellsNoCost:
    'The agent does not report its cost, or reports it in a currency other than llm.currency, so the cost limit cannot be enforced. Use another agent, or remove the limit (limits.max_cost).',
  agentAsksForever: (times: number) => `The agent was refused ${times} permissions and kept asking.`,
  journalFailed: (detail: string) => `The run's journal could not be read or written. (${detail})`,
  diskFull: (detail: string) =>
    `The run's journal could not be written: the disk is full. The run continues as soon as there is room. (${detail})`,
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
