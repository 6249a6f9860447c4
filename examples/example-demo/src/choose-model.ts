import type { ChosenModel } from '@agent/simulators/demo';
import { DemoError } from './demo-error.ts';

/**
 * Reads `LLM_BASE_URL`, `LLM_MODEL`, `LLM_API`, `LLM_API_KEY` and `LLM_CONTEXT_LENGTH`: with the first two, that endpoint; with neither, the script.
 *
 * @throws DemoError when only one of the two is set, when `LLM_API` is neither `responses` nor `chat`, or when `LLM_CONTEXT_LENGTH` is no
 *   number of tokens
 */
export function chooseModel(environment: Readonly<Record<string, string | undefined>>): ChosenModel {
  const { LLM_BASE_URL: baseUrl, LLM_MODEL: model, LLM_API_KEY: key } = environment;
  const api = readApi(environment.LLM_API);
  const window = readWindow(environment.LLM_CONTEXT_LENGTH);
  if (baseUrl && model) return { kind: 'endpoint', baseUrl, model, api, hasKey: Boolean(key), ...window };
  if (baseUrl || model) {
    const [given, missing] = baseUrl ? ['LLM_BASE_URL', 'LLM_MODEL'] : ['LLM_MODEL', 'LLM_BASE_URL'];
    throw new DemoError(
      `${given} is set but ${missing} is not. Set both for a real model, or neither for the script.`,
    );
  }
  return { kind: 'script', api: api ?? 'responses', ...window };
}

function readApi(written: string | undefined): 'responses' | 'chat' | null {
  if (!written) return null;
  if (written === 'responses' || written === 'chat') return written;
  throw new DemoError(`LLM_API must be "responses" or "chat"; it is "${written}".`);
}

function readWindow(written: string | undefined): { readonly contextLength?: number } {
  if (!written) return {};
  const contextLength = Number(written);
  if (Number.isInteger(contextLength) && contextLength >= 1_000) return { contextLength };
  throw new DemoError(`LLM_CONTEXT_LENGTH must be a number of tokens from 1000; it is "${written}".`);
}
