import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { EngineAnswer } from './engine.ts';

interface AnswerOptions {
  readonly isStreamed: boolean;
  readonly includesUsage: boolean;
}

/** Writes an answer of `POST /v1/chat/completions`. @see https://platform.openai.com/docs/api-reference/chat/object */
export class ChatWriter {
  readonly #outgoing;
  readonly #base;
  #isBegun = false;

  constructor(outgoing: ServerResponse, model: string) {
    this.#outgoing = outgoing;
    this.#base = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1_000), model };
  }

  addText(piece: string): void {
    if (piece !== '') this.#send({ content: piece });
  }

  end(answer: EngineAnswer, { isStreamed, includesUsage }: AnswerOptions): void {
    const calls = answer.calls.map(({ name, input }) => ({
      ...{ id: `call_${randomUUID()}`, type: 'function', function: { name, arguments: input } },
    }));
    const isCut = answer.end === 'length';
    const reason = isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
    const usage = toChatUsage(answer);
    if (!isStreamed) {
      const message = {
        role: 'assistant',
        content: answer.text === '' && calls.length > 0 ? null : answer.text,
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
      };
      const choices = [{ index: 0, message, logprobs: null, finish_reason: reason }];
      this.#outgoing
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ...this.#base, object: 'chat.completion', choices, usage }));
      return;
    }
    if (calls.length > 0) this.#send({ tool_calls: calls.map((call, index) => ({ index, ...call })) });
    this.#send({}, reason);
    if (includesUsage) this.#write({ choices: [], usage });
    this.#outgoing.end('data: [DONE]\n\n');
  }

  #send(delta: object, reason: string | null = null): void {
    const said = this.#isBegun ? delta : { role: 'assistant', ...delta };
    this.#write({ choices: [{ index: 0, delta: said, logprobs: null, finish_reason: reason }] });
  }

  #write(part: object): void {
    if (!this.#isBegun) this.#outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    this.#isBegun = true;
    const chunk = { ...this.#base, object: 'chat.completion.chunk', ...part };
    this.#outgoing.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
}

function toChatUsage({ usage: { promptTokens, cachedTokens, completionTokens } }: EngineAnswer): object {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

/** Writes an answer of `POST /v1/responses`. @see https://platform.openai.com/docs/api-reference/responses/object */
export class ResponsesWriter {
  readonly #outgoing;
  readonly #base;
  readonly #item = { type: 'message', id: `msg_${randomUUID()}`, role: 'assistant' };
  #events = 0;

  constructor(outgoing: ServerResponse, model: string) {
    this.#outgoing = outgoing;
    const created_at = Math.floor(Date.now() / 1_000);
    this.#base = { id: `resp_${randomUUID()}`, object: 'response', created_at, model };
  }

  addText(delta: string): void {
    if (delta === '') return;
    this.#begin();
    this.#write('response.output_text.delta', { ...this.#place(), delta });
  }

  end(answer: EngineAnswer, { isStreamed }: AnswerOptions): void {
    const response = this.#toResponse(answer);
    if (!isStreamed) {
      this.#outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(response));
      return;
    }
    this.#begin();
    this.#write('response.output_text.done', { ...this.#place(), text: answer.text });
    this.#write('response.output_item.done', { output_index: 0, item: response.output[0] });
    this.#write(`response.${response.status}`, { response });
    this.#outgoing.end();
  }

  #toResponse({ text, end, usage }: EngineAnswer) {
    const status = end === 'length' ? 'incomplete' : 'completed';
    return {
      ...this.#base,
      status,
      error: null,
      incomplete_details: end === 'length' ? { reason: 'max_output_tokens' } : null,
      output: [{ ...this.#item, status, content: [{ type: 'output_text', text, annotations: [] }] }],
      usage: {
        input_tokens: usage.promptTokens,
        output_tokens: usage.completionTokens,
        total_tokens: usage.promptTokens + usage.completionTokens,
        input_tokens_details: { cached_tokens: usage.cachedTokens },
      },
    };
  }

  #begin(): void {
    if (this.#events > 0) return;
    this.#outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    const response = { ...this.#base, status: 'in_progress', error: null, output: [] };
    this.#write('response.created', { response });
    const item = { ...this.#item, status: 'in_progress', content: [] };
    this.#write('response.output_item.added', { output_index: 0, item });
    const part = { type: 'output_text', text: '', annotations: [] };
    this.#write('response.content_part.added', { ...this.#place(), part });
  }

  #place(): object {
    return { item_id: this.#item.id, output_index: 0, content_index: 0 };
  }

  #write(type: string, fields: object): void {
    const event = { type, sequence_number: this.#events, ...fields };
    this.#events += 1;
    this.#outgoing.write(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
}
