import type { SeenRequest } from './fault-desk.ts';

/** What one run said to the model: all its requests, oldest first. */
export interface Conversation {
  /** When its first and its last request came. */
  readonly from: number;
  readonly to: number;
  /** Of each request, the texts of its user messages. */
  readonly requests: readonly (readonly string[])[];
}

/**
 * The conversations that the model was part of. Those that begin with the same words are one: the first message of a run
 * has a number that was drawn for it. Requests without tools (final summaries) belong to none.
 */
export function readConversations(seen: readonly SeenRequest[]): readonly Conversation[] {
  const found = new Map<string, { readonly texts: readonly string[]; readonly at: number }[]>();
  for (const { route, status, at, body: text } of seen) {
    const body = route === 'model' && status === 200 ? parseBody(text) : null;
    if (body === null) continue;
    const items = body.input ?? body.messages ?? [];
    const texts = items.flatMap((item) => (item.role === 'user' ? [textOf(item)] : []));
    const key = texts[0] ?? '';
    found.set(key, [...(found.get(key) ?? []), { texts, at }]);
  }
  return [...found.values()].map((list) => ({
    requests: list.map(({ texts }) => texts),
    from: Math.min(...list.map(({ at }) => at)),
    to: Math.max(...list.map(({ at }) => at)),
  }));
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

/** The body of a request that goes on with a run; null for others. */
function parseBody(text: string): Body | null {
  if (text === '') return null;
  const body = JSON.parse(text) as Body;
  return (body.tools ?? []).length > 0 ? body : null;
}

function textOf({ content }: Item): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n');
}
