import { randomUUID } from 'node:crypto';
import { formatEnvelopeInstruction, wrapToolOutput } from '@agent/text';
import { toRecord } from '@agent/text/json';
import { type LanguageModel, type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import { classifyModelError } from '../classify-model-error.ts';
import { type CallTemplateName, callTemplateNames, writeCalls } from './call-templates.ts';

type Generate = Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0];
type Params = Generate['params'];
type Message = Params['prompt'][number];
type Part = Exclude<Message['content'], string>[number];
type ToolResult = Extract<Part, { readonly type: 'tool-result' }>;
type Metadata = Awaited<ReturnType<Generate['doGenerate']>>['providerMetadata'];

/** Name in the metadata of an answer under which the template of its model stands. */
const key = 'textTools';

/** Reads from the metadata of an answer in which template its model may write calls as text; null if it may not. */
export function readCallTemplate(metadata: Metadata): CallTemplateName | null {
  const template = metadata?.[key]?.template;
  return callTemplateNames.find((name) => name === template) ?? null;
}

/** Options of `withTextTools`. */
export interface TextToolsOptions {
  readonly template: CallTemplateName;
  /** Code of the envelopes around results that have none. Default a random UUID. */
  readonly nonce?: string | undefined;
}

/**
 * The same model, for a server without tool support: once it has refused tools, they are described in the instructions, and calls and
 * results are sent as text. Its answers name the template for the run that reads calls from them. A request that
 * requires a call is refused as before.
 *
 * @example
 * const model = withTextTools(provider.chatModel('hermes-3'), { template: 'hermes' });
 */
export function withTextTools(
  model: Exclude<LanguageModel, string>,
  { template, nonce = randomUUID() }: TextToolsOptions,
): Exclude<LanguageModel, string> {
  let isRefused = false;
  const send = async <Answer>(
    params: Params,
    ask: (params: Params) => PromiseLike<Answer>,
  ): Promise<Answer> => {
    const isRequired = params.toolChoice?.type === 'required' || params.toolChoice?.type === 'tool';
    if (isRequired) return ask(params);
    if (!isRefused) {
      try {
        return await ask(params);
      } catch (error) {
        if (!hasTools(params) || classifyModelError(error).kind !== 'no-tools') throw error;
        isRefused = true;
      }
    }
    return ask(toTextParams(params, { template, nonce }));
  };
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      wrapGenerate: async ({ model: asked, params }) => {
        const answer = await send(params, (one) => asked.doGenerate(one));
        return { ...answer, providerMetadata: { ...answer.providerMetadata, [key]: { template } } };
      },
      wrapStream: ({ model: asked, params }) => send(params, (one) => asked.doStream(one)),
    },
  });
}

function hasTools({ tools, prompt }: Params): boolean {
  return (tools ?? []).length > 0 || prompt.some(({ role }) => role === 'tool');
}

interface Manner {
  readonly template: CallTemplateName;
  readonly nonce: string;
}

function toTextParams({ tools, toolChoice, prompt, ...params }: Params, manner: Manner): Params {
  const written = mergeUsers(prompt.map((message) => toTextMessage(message, manner)));
  const described = toolChoice?.type === 'none' ? [] : (tools ?? []);
  const parts = described.length === 0 ? [] : [describeTools(described, manner)];
  const ownEnvelope = JSON.stringify(written).includes(manner.nonce);
  if (ownEnvelope) parts.push(formatEnvelopeInstruction(manner.nonce));
  return { ...params, prompt: parts.length === 0 ? written : instruct(written, parts.join('\n\n')) };
}

function instruct(prompt: readonly Message[], text: string): Message[] {
  const [first, ...rest] = prompt;
  if (first?.role !== 'system') return [{ role: 'system', content: text }, ...prompt];
  return [{ ...first, content: `${first.content}\n\n${text}` }, ...rest];
}

/** Describes tools in a prompt, with the form of their calls. */
function describeTools(tools: NonNullable<Params['tools']>, { template }: Manner): string {
  const lines = tools.flatMap((tool) =>
    tool.type === 'function'
      ? [JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.inputSchema })]
      : [],
  );
  const form = writeCalls(template, [{ name: 'TOOL', input: { PARAMETER: 'VALUE' } }]);
  return [
    'These are your tools, one on each line: its name, its description and the JSON schema of its parameters.',
    `<tools>\n${lines.join('\n')}\n</tools>`,
    `To call a tool, answer with the call alone, exactly in this form, with valid JSON:\n${form}`,
    'Such an answer is a real tool call here. A call with any other text around it is not executed. The result follows in the next message. When the work is done, answer in words, without a call.',
  ].join('\n\n');
}

function toTextMessage(message: Message, manner: Manner): Message {
  if (message.role === 'tool') {
    const results = message.content.flatMap((part) =>
      part.type === 'tool-result' ? [formatResult(part, manner)] : [],
    );
    return { role: 'user', content: [{ type: 'text', text: results.join('\n\n') }] };
  }
  if (message.role !== 'assistant') return message;
  const calls = message.content.flatMap((part) =>
    part.type === 'tool-call' ? [{ name: part.toolName, input: toRecord(part.input) ?? {} }] : [],
  );
  if (calls.length === 0) return message;
  const others = message.content.filter(({ type }) => type === 'text' || type === 'reasoning');
  const text = writeCalls(manner.template, calls);
  return { ...message, content: [...others, { type: 'text', text }] };
}

/** Result as the model is shown it. The tools of a run enclose their outputs themselves. */
function formatResult({ toolName, output }: ToolResult, { nonce }: Manner): string {
  const { type } = output;
  const isText = type === 'text' || type === 'error-text';
  const text = isText ? output.value : JSON.stringify('value' in output ? output.value : output);
  const isEnclosed = /===== BEGIN TEXT [\w-]{16,128} \| output of: [^\n]{1,300}=====\n/.test(text);
  const shown = isEnclosed ? text : wrapToolOutput(text, { tool: toolName, nonce });
  const isError = type === 'error-text' || type === 'error-json' || type === 'execution-denied';
  return `${isError ? 'Failed call' : 'Result'} of the tool ${toolName}:\n${shown}`;
}

/** Some servers take only one message of the user in a row. */
function mergeUsers(prompt: readonly Message[]): Message[] {
  const merged: Message[] = [];
  for (const message of prompt) {
    const before = merged.at(-1);
    if (before?.role !== 'user' || message.role !== 'user') merged.push(message);
    else merged[merged.length - 1] = { ...before, content: [...before.content, ...message.content] };
  }
  return merged;
}
