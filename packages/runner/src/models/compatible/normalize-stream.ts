import { isRecord, type JsonRecord } from '@agent/text/json';
import { unnamedStatus } from './answer-error.ts';
import { normalizeHead, pickReasoning, toFinishReason } from './normalize-answer.ts';
import { normalizeContent, type ToolNames, toId, toToolName } from './normalize-parts.ts';
import { readJsonBody } from './read-json-body.ts';
import { createEventReader, findErrorInEvent, type StreamEvent } from './stream-events.ts';
import { StreamedMessage, wholeAnswer } from './streamed-message.ts';

/** Server-sent events of a chat completion, in the form that the SDK reads. */
export function normalizeStream(tools: ToolNames): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const normalize = createChunkNormalizer(tools);
  const read = createEventReader();
  const send = (text: string, controller: TransformStreamDefaultController<Uint8Array>): void => {
    for (const data of read(text).flatMap(normalize)) controller.enqueue(encoder.encode(`data: ${data}\n\n`));
  };
  return new TransformStream({
    transform: (bytes, controller) => send(decoder.decode(bytes, { stream: true }), controller),
    flush: (controller) => send('\n\n', controller),
  });
}

/** Normalizes one chunk after the other: what a chunk leaves out is known from those before. */
function createChunkNormalizer(tools: ToolNames): (event: StreamEvent) => readonly string[] {
  const calls = createCallIndex();
  const message = new StreamedMessage();
  let isBegun = false;
  let isFinished = false;
  const toWhole = (): string => JSON.stringify({ choices: [], [wholeAnswer]: message.toAnswer(tools) });
  return (event) => {
    const { data } = event;
    if (data.trim() === '[DONE]') {
      const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
      // A stream without any choice is no answer.
      return isFinished || !isBegun ? [data] : [JSON.stringify(end), toWhole(), data];
    }
    const error = findErrorInEvent(event);
    if (error !== null) {
      isFinished = true;
      const { body, status } = error;
      return [JSON.stringify({ error: { ...body.error, code: body.error.code ?? status ?? unnamedStatus } })];
    }
    const chunk = readJsonBody(data);
    if (!isRecord(chunk)) return [data];
    const choices = (Array.isArray(chunk.choices) ? chunk.choices : []).filter(isRecord);
    if (choices.length > 0) isBegun = true;
    const ends = choices.some(({ finish_reason: reason }) => toFinishReason(reason) !== null);
    const normalized = choices.map((choice) => normalizeChoice(choice, { tools, toIndex: calls, message }));
    const whole = ends && !isFinished ? [toWhole()] : [];
    isFinished ||= ends;
    return [JSON.stringify({ ...normalizeHead(chunk), choices: normalized }), ...whole];
  };
}

interface ChunkContext {
  readonly tools: ToolNames;
  readonly toIndex: (call: JsonRecord) => number;
  readonly message: StreamedMessage;
}

function normalizeChoice(choice: JsonRecord, context: ChunkContext): JsonRecord {
  const { delta, message, finish_reason: reason } = choice;
  const said = [delta, message].find(isRecord) ?? {};
  const { tool_calls: given } = said;
  const calls = (Array.isArray(given) ? given : isRecord(given) ? [given] : [])
    .filter(isRecord)
    .map((call) => ({ ...call, index: context.toIndex(call) }));
  context.message.add(calls.length === 0 ? said : { ...said, tool_calls: calls });
  return {
    ...choice,
    delta: {
      content: normalizeContent(said.content),
      refusal: said.refusal,
      ...pickReasoning(said),
      ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => normalizeCall(call, context)) }),
    },
    finish_reason: toFinishReason(reason),
  };
}

function normalizeCall(
  call: JsonRecord & { readonly index: number },
  { tools }: Pick<ChunkContext, 'tools'>,
): JsonRecord {
  const { name, arguments: args } = isRecord(call.function) ? call.function : call;
  const { extra_content: extra } = call;
  return {
    index: call.index,
    id: toId(call.id) || null,
    type: 'function',
    function: {
      name: typeof name === 'string' && name !== '' ? toToolName(name, tools) : null,
      arguments: typeof args === 'string' ? args : isRecord(args) ? JSON.stringify(args) : '',
    },
    ...(isRecord(extra) ? { extra_content: extra } : {}),
  };
}

/** Gives each call its place. A piece without a place belongs to the call before it, unless it names another one. */
export function createCallIndex(): ChunkContext['toIndex'] {
  const places = new Map<string, number>();
  let last = -1;
  return (call) => {
    const id = toId(call.id);
    const { name } = isRecord(call.function) ? call.function : call;
    const known = id === '' ? undefined : places.get(id);
    const isNew = id === '' ? Boolean(name) || last === -1 : known === undefined;
    const next = known ?? (isNew ? places.size : last);
    last = typeof call.index === 'number' ? call.index : next;
    if (isNew) places.set(id === '' ? `#${places.size}` : id, last);
    return last;
  };
}
