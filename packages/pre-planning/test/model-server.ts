import {
  type FaultyModel,
  type FaultyModelRequest,
  type ModelReaction,
  startFaultyModel,
} from '@agent/simulators/model';
import { createOpenAI } from '@ai-sdk/openai';

export interface ModelServer extends FaultyModel {
  /** The Responses endpoint. */
  readonly model: ReturnType<ReturnType<typeof createOpenAI>>;
  readonly chatModel: ReturnType<ReturnType<typeof createOpenAI>['chat']>;
}

/** A model server on loopback that does with each request what the script says. */
export async function startModelServer(
  script: (request: FaultyModelRequest, index: number) => ModelReaction,
): Promise<ModelServer> {
  const server = await startFaultyModel(script);
  const provider = createOpenAI({ baseURL: server.baseUrl, apiKey: 'none' });
  return { ...server, model: provider('local-model'), chatModel: provider.chat('local-model') };
}
