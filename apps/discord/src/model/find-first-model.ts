import { z } from 'zod';
import { BotError } from '../bot-error.ts';
import type { Settings } from '../settings/parse-settings.ts';
import { type ModelServer, requestText } from './request-text.ts';

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/** The models that a server lists; none where it has no list. @throws BotError `model-unreachable`; the signal's reason */
async function listModels(server: ModelServer): Promise<readonly string[]> {
  try {
    const answer = await requestText(server, { path: '/models', body: null });
    return listSchema.parse(JSON.parse(await answer.text())).data.map(({ id }) => id);
  } catch (error) {
    server.signal.throwIfAborted();
    if (BotError.isInstance(error) && error.code === 'model-unreachable') throw error;
    return [];
  }
}

/**
 * The first model that a server lists and that can talk. Null where it lists none or has no list, so that the
 * request names none; asked anew each time, because people switch models.
 *
 * @see decision D17
 */
export async function findFirstModel(server: ModelServer): Promise<string | null> {
  const models = await listModels(server);
  return models.find((name) => !/embed/i.test(name)) ?? null;
}

/** Long enough for a server on this machine or the next one. */
const limitMs = 5_000;

/** Finds why the model server cannot be asked; null when it can, whatever it answers, and where a module takes its place. */
export async function findUnreachable({
  LM_BASE_URL: baseUrl,
  LM_API_KEY: apiKey,
  MODEL_MODULE,
}: Pick<Settings, 'LM_BASE_URL' | 'LM_API_KEY' | 'MODEL_MODULE'>): Promise<string | null> {
  if (MODEL_MODULE !== undefined) return null;
  const signal = AbortSignal.timeout(limitMs);
  try {
    await listModels({ baseUrl, apiKey: apiKey ?? null, fetch: globalThis.fetch, signal });
    return null;
  } catch (error) {
    return signal.aborted ? `${limitMs / 1_000} s` : (error as BotError).message;
  }
}

/**
 * The address of the model server where it is that of a host alone; null otherwise. LM Studio answers there, too, with
 * 200 and an error that is easily taken for one of the model.
 *
 * @see https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/618
 */
export function findBareHost({
  LM_BASE_URL,
  MODEL_MODULE,
}: Pick<Settings, 'LM_BASE_URL' | 'MODEL_MODULE'>): string | null {
  const { pathname, origin } = new URL(LM_BASE_URL);
  return MODEL_MODULE === undefined && pathname === '/' ? origin : null;
}
