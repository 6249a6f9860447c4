import type { LmResponse, MessageItem, ReasoningItem } from './make-response.ts';

/** An event of a streamed response; each knows its type and its place. */
export type StreamEvent = Readonly<Record<string, unknown>> & {
  readonly type: string;
  readonly sequence_number: number;
};

type Unnumbered = Readonly<Record<string, unknown>> & { readonly type: string };

const WORDS = /\s*\S+\s*?(?=\s|$)|\s+$/g;

/**
 * The same response as a stream tells it, word by word.
 *
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
export function listStreamEvents(response: LmResponse): readonly StreamEvent[] {
  const begun = {
    ...response,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
  };
  const events: readonly Unnumbered[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...response.output.flatMap((item, index) => listItemEvents(item, index)),
    { type: `response.${response.status}`, response },
  ];
  return events.map((event, index) => ({ ...event, sequence_number: index }));
}

function listItemEvents(item: MessageItem | ReasoningItem, index: number): readonly Unnumbered[] {
  const place = { output_index: index };
  const added = {
    type: 'response.output_item.added',
    ...place,
    item: { ...item, status: 'in_progress', content: [] },
  };
  const done = { type: 'response.output_item.done', ...place, item };
  if (item.type === 'reasoning') {
    const texts = item.content.map(({ text }) => text);
    return [
      added,
      ...texts.map((delta) => ({ type: 'response.reasoning_text.delta', ...place, delta })),
      done,
    ];
  }
  const parts = item.content.flatMap((part, contentIndex) => {
    const at = { item_id: item.id, ...place, content_index: contentIndex };
    return [
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
      ...splitWords(part.text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
      { type: 'response.output_text.done', ...at, text: part.text },
      { type: 'response.content_part.done', ...at, part },
    ];
  });
  return [added, ...parts, done];
}

/** Pieces that put together are the text again. */
function splitWords(text: string): readonly string[] {
  return text.match(WORDS) ?? [];
}
