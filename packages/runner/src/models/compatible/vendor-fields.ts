import { isRecord, type JsonRecord } from '@agent/text/json';
import { type LanguageModel, type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import { wholeAnswer } from './streamed-message.ts';

type Generate = NonNullable<LanguageModelMiddleware['wrapGenerate']>;
type Result = Awaited<ReturnType<Generate>>;
type Content = Result['content'][number];
type Prompt = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params']['prompt'];
type Message = Prompt[number];
type AssistantMessage = Extract<Message, { readonly role: 'assistant' }>;
type AssistantPart = AssistantMessage['content'][number];

/** Name in `providerOptions` under which the parts of a message carry the fields of their vendor. */
const key = 'vendorFields';

/**
 * The same model, whose answers carry the fields that only their vendor knows, such as `reasoning_details` or a
 * `thought_signature`, and whose requests return them unchanged. They return to the host that they came from only.
 */
export function withVendorFields(
  model: Exclude<LanguageModel, string>,
  { host }: { readonly host: string },
): Exclude<LanguageModel, string> {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      wrapGenerate: async ({ doGenerate }) => attachFields(await doGenerate(), host),
      wrapStream: async ({ model: streaming, params }) => {
        const { stream, ...result } = await streaming.doStream({ ...params, includeRawChunks: true });
        const showsRaw = params.includeRawChunks === true;
        return { ...result, stream: stream.pipeThrough(attachToStream({ host, showsRaw })) };
      },
      transformParams: async ({ params }) => ({
        ...params,
        prompt: params.prompt.map((message) =>
          message.role === 'assistant' ? returnFields(message, host) : message,
        ),
      }),
    },
  });
}

function attachFields(result: Result, host: string): Result {
  const message = findMessage(result.response?.body);
  if (message === null) return result;
  const { vendor_fields: own, tool_calls: calls } = message;
  const ofCalls = (Array.isArray(calls) ? calls : []).map((call) =>
    isRecord(call) ? call.vendor_fields : undefined,
  );
  const content = result.content.map((part, index) => {
    const call = part.type === 'tool-call' ? ofCalls.shift() : undefined;
    const fields = { ...(index === 0 && own ? { message: own } : {}), ...(call ? { call } : {}) };
    return Object.keys(fields).length === 0 ? part : attach(part, { host, ...fields });
  });
  return { ...result, content };
}

type Stream = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>['stream'];
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never;

/** Holds the ends of texts and the calls back until the whole answer is known, and attaches the fields to them. */
function attachToStream({
  host,
  showsRaw,
}: {
  readonly host: string;
  readonly showsRaw: boolean;
}): TransformStream<StreamPart, StreamPart> {
  let held: StreamPart[] = [];
  let body: unknown;
  return new TransformStream({
    transform: (part, controller) => {
      const send = (parts: readonly StreamPart[]): void => {
        for (const one of parts) controller.enqueue(one);
      };
      if (part.type === 'raw') {
        const { rawValue } = part;
        if (isRecord(rawValue) && rawValue[wholeAnswer] !== undefined) body = rawValue[wholeAnswer];
        else if (showsRaw) send([part]);
        return;
      }
      if (part.type === 'text-end' || part.type === 'tool-call') {
        held.push(part);
        return;
      }
      // A text that begins again has the id of the one before it.
      if (part.type === 'text-start') send(held.splice(0));
      if (part.type === 'finish' && held.length > 0) {
        const result = { content: held, response: { body } } as unknown as Result;
        send(attachFields(result, host).content as unknown as readonly StreamPart[]);
        held = [];
      }
      send([part]);
    },
    flush: (controller) => {
      for (const part of held) controller.enqueue(part);
    },
  });
}

function findMessage(body: unknown): JsonRecord | null {
  const choices = isRecord(body) && Array.isArray(body.choices) ? body.choices : [];
  const [choice] = choices;
  return isRecord(choice) && isRecord(choice.message) ? choice.message : null;
}

function attach(part: Content, fields: JsonRecord): Content {
  // What the SDK takes out of a call by itself would be sent twice.
  const kept = part.type === 'tool-call' ? {} : part.providerMetadata;
  return { ...part, providerMetadata: { ...kept, [key]: fields } } as Content;
}

function returnFields(message: AssistantMessage, host: string): AssistantMessage {
  const known = message.content.map((part) => fieldsOf(part, host));
  const fields = known.map((one) => one.message).find(isRecord);
  const content = message.content.map((part, index) => returnOfCall(part, known[index]?.call));
  if (fields === undefined) return { ...message, content };
  const names = Array.isArray(fields.reasoning) ? fields.reasoning : [];
  const thoughts = content.filter((part) => part.type === 'reasoning');
  const thought = thoughts.map(({ text }) => text).join('');
  const named = names.map((name) =>
    name === 'content' ? [name, content.flatMap(toContentPart)] : [String(name), thought],
  );
  const others = isRecord(fields.fields) ? fields.fields : {};
  const options = { ...others, ...Object.fromEntries(named) };
  return {
    ...message,
    content: content.filter((part) => part.type !== 'reasoning'),
    providerOptions: { ...message.providerOptions, openaiCompatible: options },
  } as AssistantMessage;
}

function fieldsOf(part: AssistantPart, host: string): JsonRecord {
  const fields: unknown = part.providerOptions?.[key];
  return isRecord(fields) && fields.host === host ? fields : {};
}

function returnOfCall(part: AssistantPart, fields: unknown): AssistantPart {
  if (part.type !== 'tool-call' || !isRecord(fields)) return part;
  const inner = isRecord(fields.function)
    ? { function: { name: part.toolName, arguments: JSON.stringify(part.input), ...fields.function } }
    : {};
  const openaiCompatible = { ...fields, ...inner };
  return { ...part, providerOptions: { ...part.providerOptions, openaiCompatible } } as AssistantPart;
}

/** Part of a list of content as Mistral writes it. */
function toContentPart(part: AssistantPart): readonly JsonRecord[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  return part.type === 'reasoning'
    ? [{ type: 'thinking', thinking: [{ type: 'text', text: part.text }] }]
    : [];
}
