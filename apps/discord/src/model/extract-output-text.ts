import type { ContentPart, ResponsesResponse } from './responses-response.ts';

/**
 * The text of an answer: that of its messages, in their order, never what the model thought or called. A refusal is
 * what the model has to say.
 */
export function extractOutputText(response: ResponsesResponse): string {
  const parts = (response.output ?? [])
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : (content ?? []).map((part) => textOf(part)),
    );
  const text = parts.join('').trim();
  return text === '' ? (response.output_text ?? '').trim() : text;
}

function textOf(part: ContentPart): string {
  if (part.type === 'refusal') return part.refusal ?? '';
  return part.type === 'output_text' || part.type === 'text' ? (part.text ?? '') : '';
}
