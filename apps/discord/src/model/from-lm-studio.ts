import type { LmStudioClient } from './lm-studio-client.ts';
import type { ReplyModel } from './reply-model.ts';
import { withoutRole } from './without-role.ts';

/** LM Studio as the model that replies: it is given the transcript. */
export function fromLmStudio(client: LmStudioClient): ReplyModel {
  return {
    reply: async ({ transcript }, { signal, onText }) => {
      const hear = (text: string): void => onText?.(withoutRole(text, { isWhole: false }));
      const response = await client.createResponse(transcript, { signal, onText: onText && hear });
      const text = withoutRole(client.extractOutputText(response), { isWhole: true });
      return { text, complete: response.status !== 'incomplete' };
    },
  };
}
