import type { WireReply } from './write-reply.ts';

/** One way in which an answer goes wrong. */
export type Misbehavior =
  /** An error answer, e.g. 401, 429 or 500. `retryAfterMs` goes into the header that AI SDK reads. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message?: string;
      readonly retryAfterMs?: number;
    }
  /** The answer comes this much later: latency. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** No answer until the server closes or the caller gives up. */
  | { readonly kind: 'hang' }
  /** The connection breaks before the answer. */
  | { readonly kind: 'reset' }
  /** 400 "Model unloaded.", as LM Studio says it; a later request loads the model again. */
  | { readonly kind: 'unloaded' | 'crashed' }
  /** 200 with JSON that is no answer. */
  | { readonly kind: 'garbage' }
  /** 200 with a page of HTML, as a proxy sends it. */
  | { readonly kind: 'html' }
  /** The script's calls, with arguments that break off in the middle. */
  | { readonly kind: 'malformed-arguments' }
  /** The script's calls, under names that no tool has. */
  | { readonly kind: 'unknown-tool' }
  /** An answer that says nothing and calls nothing. */
  | { readonly kind: 'empty' };

export type ReplyMisbehavior = Extract<
  Misbehavior,
  { readonly kind: 'malformed-arguments' | 'unknown-tool' | 'empty' }
>;

/** Spoils what the script said; the answer around it stays a valid one. */
export function spoilReply(reply: WireReply, { kind }: ReplyMisbehavior): WireReply {
  switch (kind) {
    case 'malformed-arguments':
      return {
        ...reply,
        calls: reply.calls.map((call) => ({ ...call, arguments: breakOff(call.arguments) })),
      };
    case 'unknown-tool':
      return { ...reply, calls: reply.calls.map((call) => ({ ...call, name: `${call.name}_that_is_not` })) };
    case 'empty':
      return { text: '', calls: [] };
  }
}

function breakOff(written: string): string {
  return written.slice(0, Math.ceil(written.length / 2));
}
