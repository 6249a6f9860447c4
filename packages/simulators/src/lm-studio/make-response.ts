import type { LmMisbehavior } from './misbehavior.ts';

interface OutputText {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations?: readonly never[];
}

export interface MessageItem {
  readonly type: 'message';
  readonly id: string;
  readonly role: 'assistant';
  readonly status: 'completed' | 'incomplete';
  readonly content: readonly OutputText[];
}

export interface ReasoningItem {
  readonly type: 'reasoning';
  readonly id: string;
  readonly summary: readonly never[];
  readonly content: readonly { readonly type: 'reasoning_text'; readonly text: string }[];
}

/** The answer of `POST /v1/responses`. @see https://platform.openai.com/docs/api-reference/responses/object */
export interface LmResponse {
  readonly id: string;
  readonly object: 'response';
  readonly created_at: number;
  readonly status: 'completed' | 'incomplete' | 'failed';
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly incomplete_details: { readonly reason: string } | null;
  readonly model: string;
  readonly previous_response_id: string | null;
  readonly output: readonly (MessageItem | ReasoningItem)[];
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly total_tokens: number;
  };
}

export interface ResponseFacts {
  readonly number: number;
  readonly model: string;
  readonly input: string;
  readonly text: string;
  readonly previousResponseId: string | null;
  /** Seconds since the epoch. */
  readonly createdAt: number;
}

/** A response that says the text, or what the misbehavior leaves of it. */
export function makeResponse(facts: ResponseFacts, misbehavior: LmMisbehavior | null): LmResponse {
  const kind = misbehavior?.kind;
  const output = makeOutput(facts, misbehavior);
  const inputTokens = countTokens(facts.input);
  const outputTokens = countTokens(facts.text);
  return {
    id: `resp_${facts.number}`,
    object: 'response',
    created_at: facts.createdAt,
    status: kind === 'incomplete' || kind === 'failed' ? kind : 'completed',
    error: misbehavior?.kind === 'failed' ? { code: 'server_error', message: misbehavior.message } : null,
    incomplete_details: misbehavior?.kind === 'incomplete' ? { reason: misbehavior.reason } : null,
    model: facts.model,
    previous_response_id: facts.previousResponseId,
    output,
    usage: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
  };
}

function makeOutput(
  { number, text }: ResponseFacts,
  misbehavior: LmMisbehavior | null,
): LmResponse['output'] {
  const say = (said: string, status: MessageItem['status'] = 'completed'): MessageItem => ({
    type: 'message',
    id: `msg_${number}`,
    role: 'assistant',
    status,
    content: [
      misbehavior?.kind === 'no-annotations'
        ? { type: 'output_text', text: said }
        : { type: 'output_text', text: said, annotations: [] },
    ],
  });
  switch (misbehavior?.kind) {
    case 'failed':
    case 'no-output':
      return [];
    case 'empty-text':
      return [say('')];
    case 'incomplete':
      return [say(text.slice(0, Math.ceil(text.length / 2)), 'incomplete')];
    case 'reasoning-first':
      return [reasonAbout(number), say(text)];
    default:
      return [say(text)];
  }
}

function reasonAbout(number: number): ReasoningItem {
  return {
    type: 'reasoning',
    id: `rs_${number}`,
    summary: [],
    content: [{ type: 'reasoning_text', text: 'Thoughts that must stay internal.' }],
  };
}

/** Roughly what a tokenizer would count: four characters a token. */
function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
