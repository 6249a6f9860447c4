import { z } from 'zod';
import { BotError } from '../bot-error.ts';
import type { ModelServer } from './model-server.ts';
import { requestText } from './request-text.ts';

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/** The models that a server offers. @throws BotError */
export async function listModels(server: ModelServer): Promise<readonly string[]> {
  const answer = await requestText(server, { path: '/models', body: null });
  const text = await answer.text();
  try {
    return listSchema.parse(JSON.parse(text)).data.map(({ id }) => id);
  } catch (cause) {
    throw new BotError('model-unreadable', 'the model server listed its models in no known way', { cause });
  }
}

/**
 * The first model that a server lists and that can talk. Null where it lists none or has no list, so that the
 * request names none; asked anew each time, because people switch models.
 *
 * @see decision D17
 */
export async function findFirstModel(server: ModelServer): Promise<string | null> {
  try {
    const models = await listModels(server);
    return models.find((name) => !/embed/i.test(name)) ?? null;
  } catch (error) {
    server.signal.throwIfAborted();
    if (BotError.isInstance(error) && error.code === 'model-unreachable') throw error;
    return null;
  }
}
