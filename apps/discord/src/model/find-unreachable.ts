import { BotError } from '../bot-error.ts';
import type { Settings } from '../settings/settings-schema.ts';
import { listModels } from './find-first-model.ts';

/** Long enough for a server on this machine or the next one. */
const limitMs = 5_000;

/** Why the model server cannot be asked; null when it can, whatever it answers. */
export async function findUnreachable(
  { LM_BASE_URL, LM_API_KEY }: Pick<Settings, 'LM_BASE_URL' | 'LM_API_KEY'>,
  { fetch = globalThis.fetch }: { readonly fetch?: typeof globalThis.fetch | undefined } = {},
): Promise<string | null> {
  const signal = AbortSignal.timeout(limitMs);
  const server = {
    baseUrl: LM_BASE_URL.replace(/(?<!\/)\/+$/, ''),
    apiKey: LM_API_KEY ?? null,
    fetch,
    signal,
  };
  try {
    await listModels(server);
    return null;
  } catch (error) {
    if (signal.aborted) return `${limitMs / 1_000} s`;
    if (BotError.isInstance(error) && error.code !== 'model-unreachable') return null;
    return error instanceof Error ? error.message : String(error);
  }
}
