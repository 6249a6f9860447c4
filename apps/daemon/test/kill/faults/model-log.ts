import type { ModelRequest } from '@agent/simulators/model';

/** What one run said to the model: all its requests, oldest first. */
export interface Conversation {
  /** Of each request, the texts of its user messages. */
  readonly requests: readonly (readonly string[])[];
}

/**
 * The conversations that the model was part of. Those that begin with the same words are one: the first message of a run
 * has a number that was drawn for it. Requests without tools (final summaries) belong to none.
 */
export function readConversations(requests: readonly ModelRequest[]): readonly Conversation[] {
  const found = new Map<string, (readonly string[])[]>();
  for (const { method, body } of requests) {
    if (method !== 'POST' || !isConversation(body)) continue;
    const texts = (body.input ?? body.messages ?? []).flatMap((item) =>
      item.role === 'user' ? [textOf(item)] : [],
    );
    const key = texts[0] ?? '';
    found.set(key, [...(found.get(key) ?? []), texts]);
  }
  return [...found.values()].map((list) => ({ requests: list }));
}

interface Item {
  readonly role?: string;
  readonly content?: string | readonly { readonly text?: string }[];
}

interface Body {
  readonly tools?: readonly unknown[];
  readonly input?: readonly Item[];
  readonly messages?: readonly Item[];
}

function isConversation(body: unknown): body is Body {
  return ((body as Body | null)?.tools ?? []).length > 0;
}

function textOf({ content }: Item): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n');
}
