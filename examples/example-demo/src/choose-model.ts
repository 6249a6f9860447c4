import type { ChosenModel } from '@agent/simulators/demo';
import { DemoError } from './demo-error.ts';

/**
 * Reads `LLM_BASE_URL`, `LLM_MODEL`, `LLM_API` and `LLM_API_KEY`: with the first two, that endpoint; with neither, the script.
 *
 * @throws DemoError when only one of the two is set, or when `LLM_API` is neither `responses` nor `chat`.
 */
export function chooseModel(environment: Readonly<Record<string, string | undefined>>): ChosenModel {
  const { LLM_BASE_URL: baseUrl, LLM_MODEL: model, LLM_API_KEY: key } = environment;
  const api = readApi(environment.LLM_API);
  if (baseUrl && model) return { kind: 'endpoint', baseUrl, model, api, hasKey: Boolean(key) };
  if (baseUrl || model) {
    const [given, missing] = baseUrl ? ['LLM_BASE_URL', 'LLM_MODEL'] : ['LLM_MODEL', 'LLM_BASE_URL'];
    throw new DemoError(
      `${given} is set but ${missing} is not. Set both for a real model, or neither for the script.`,
    );
  }
  return { kind: 'script', api: api ?? 'responses' };
}

function readApi(written: string | undefined): 'responses' | 'chat' | null {
  if (!written) return null;
  if (written === 'responses' || written === 'chat') return written;
  throw new DemoError(`LLM_API must be "responses" or "chat"; it is "${written}".`);
}
