import type { RunTexts } from './run-texts.ts';
import { toMinutes, toSeconds } from './to-seconds.ts';

const limits = {
  maxSteps: (value: number) => `${value} model calls`,
  maxDurationMs: (value: number) =>
    value < 60_000 ? count(toSeconds(value), 'second') : count(toMinutes(value), 'minute'),
  maxTokens: (value: number) => `${value} tokens`,
  maxToolFailures: (value: number) => `${value} failures of one tool`,
};

export const englishTexts: RunTexts = {
  paused: 'The run was paused.',
  stopped: 'The run was stopped.',
  limitReached: ({ kind, name, value }) =>
    `The run reached its limit of ${limits[kind](value)} before it was done. Raise "${name}", or make the task smaller.`,
  toolFailed: ({ tool, times, name, lastError }) =>
    `The tool "${tool}" failed ${times} times in a row ("${name}"). Its last error: ${lastError}`,
  modelFailed: (failure) => {
    const where = failure.address === null ? '' : ` (${failure.address})`;
    const detail = failure.detail === null ? '' : ` Its words: ${failure.detail}`;
    const { status, timeoutMs } = failure;
    switch (failure.kind) {
      case 'unauthorized':
        return `The model's endpoint${where} refused the API key. Check the key and what it may use.`;
      case 'unknown-model':
        return `The model's endpoint${where} does not know the model or the address. Check model and base URL.${detail}`;
      case 'rate-limited':
        return `The model's endpoint${where} refuses further calls for now. Wait, or check the account's limits.${detail}`;
      case 'context-too-long':
        return `The conversation no longer fits the model's context. Use a model with a longer one, or a smaller task.${detail}`;
      case 'unreachable':
        return `The model's endpoint${where} could not be reached. Check that it runs and that the base URL is right.${detail}`;
      case 'timeout':
        return `The model gave no answer within ${count(toSeconds(timeoutMs), 'second')}. Check the endpoint, or allow more time.`;
      case 'nonsense':
        return `The model's endpoint${where} sent an answer that cannot be read. Check that the base URL leads to an OpenAI-compatible endpoint.`;
      case 'server-error':
        return `The model's endpoint${where} failed (HTTP ${status}). Try again later.${detail}`;
      case 'refused':
        return `The model's endpoint${where} refused the request (HTTP ${status}).${detail}`;
      case 'unknown':
        return `The model call failed.${detail}`;
    }
  },
  unusableAnswer: {
    empty:
      'The model twice gave an answer with nothing in it. Check that the model can use tools, or take another one.',
    'cut-off':
      "The model's answer was twice cut off at its maximum length. Allow longer answers (or a longer context) at the endpoint.",
  },
  journalFailed: ({ isFull, detail }) =>
    isFull
      ? `The run's journal could not be written: the disk is full. Free some space and start the task again. (${detail})`
      : `The run's journal could not be read or written. (${detail})`,
};

function count(value: number, unit: string): string {
  return `${value} ${value === 1 ? unit : `${unit}s`}`;
}
