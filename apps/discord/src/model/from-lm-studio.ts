import type { LmStudioClient } from './lm-studio-client.ts';
import type { ReplyModel } from './reply-model.ts';

/** LM Studio as the model that replies: it is given the transcript. */
export function fromLmStudio(client: LmStudioClient): ReplyModel {
  return {
    reply: async ({ transcript }, { signal, onText }) => {
      const response = await client.createResponse(transcript, { signal, onText });
      return { text: client.extractOutputText(response), complete: response.status !== 'incomplete' };
    },
  };
}
