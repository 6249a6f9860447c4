import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { classifyModelError } from '@agent/runner';
import { createModel, llmSchema } from '@agent/runner/models';
import { generateText, jsonSchema, type ToolSet, tool } from 'ai';
import { z } from 'zod';

/** Answer of an endpoint, as it was recorded. */
export interface RecordedAnswer {
  readonly id: string;
  readonly api: 'chat' | 'responses';
  readonly status: number;
  readonly text: string;
  /** Names of the tools that the request offered. */
  readonly tools: readonly string[];
}

interface Failure {
  readonly id: string;
  readonly reason: string;
}

/** Sends each answer from a server on loopback to a model of the runner. An answer passes if it is read whole, an error if it is classified. */
export async function replayAnswers(answers: readonly RecordedAnswer[]): Promise<readonly Failure[]> {
  let current: RecordedAnswer | null = null;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(current?.status ?? 500, { 'content-type': 'application/json' });
      response.end(current?.text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const failures: Failure[] = [];
  for (const answer of answers) {
    current = answer;
    // A path of its own for each answer: what the runner learns of an endpoint does not pass on to the next.
    const url = `http://127.0.0.1:${port}/${failures.length}-${encodeURIComponent(answer.id)}/v1`;
    const reason = await replay(answer, url);
    if (reason !== null) failures.push({ id: answer.id, reason });
  }
  server.closeAllConnections();
  server.close();
  return failures;
}

async function replay({ api, text, tools, status }: RecordedAnswer, url: string): Promise<string | null> {
  const settings = llmSchema.parse({ base_url: url, model: 'recorded', api });
  const { model } = await createModel(settings, { environment: {}, directory: '.' });
  const inputSchema = jsonSchema<unknown>({ type: 'object' });
  const offered: ToolSet = Object.fromEntries(
    tools
      .filter((name) => /^[\w-]{1,64}$/.test(name))
      .map((name) => [name, tool({ description: name, inputSchema })]),
  );
  const expected = status < 400 ? findExpected(text) : null;
  try {
    const result = await generateText({ model, prompt: 'Hello', tools: offered, maxRetries: 0 });
    if (expected === null) return 'an error was read as an answer';
    const calls = result.toolCalls.filter(({ providerExecuted }) => providerExecuted !== true).length;
    if (expected.text !== null && expected.text.trim() !== result.text.trim()) return 'another text';
    const isComplete = expected.hasHostedTools || expected.calls === null || expected.calls === calls;
    return isComplete ? null : `${calls} of ${expected.calls} calls`;
  } catch (error) {
    const { kind } = classifyModelError(error);
    // The runner never asks for tools that run at the server: that it cannot read their items is an error to classify.
    if (expected !== null && !expected.hasHostedTools)
      return `an answer was read as an error: ${kind} ${String(error).slice(0, 150)}`;
    return kind === 'unknown' ? `an error of no known kind: ${String(error).slice(0, 150)}` : null;
  }
}

const parts = z.array(z.looseObject({ type: z.string(), text: z.string().nullish() }));
const message = z.looseObject({
  content: z.union([z.string(), parts]).nullish(),
  tool_calls: z.array(z.unknown()).nullish(),
});
const chat = z.looseObject({ choices: z.array(z.looseObject({ message })).min(1) });
const item = z.looseObject({ type: z.string(), content: z.unknown().optional() });
const responses = z.looseObject({ output: z.array(item), error: z.unknown().optional() });

interface ExpectedAnswer {
  readonly text: string | null;
  readonly calls: number | null;
  /** True if it has items of tools that the vendor offers, such as a shell or the generation of images. */
  readonly hasHostedTools: boolean;
}

const ownItems: ReadonlySet<string> = new Set(['message', 'reasoning', 'function_call']);

/** Reads what an answer holds; null for an error that was sent in place of one. */
function findExpected(body: string): ExpectedAnswer | null {
  const value: unknown = parseJson(body);
  const [choice] = chat.safeParse(value).data?.choices ?? [];
  if (choice !== undefined) {
    const { content, tool_calls: calls } = choice.message;
    return {
      text: typeof content === 'string' ? content : toText(content ?? []),
      calls: calls?.length ?? null,
      hasHostedTools: false,
    };
  }
  const answer = responses.safeParse(value).data;
  if (answer === undefined || (answer.error ?? null) !== null) return null;
  const said = answer.output.filter(({ type }) => type === 'message');
  const calls = answer.output.filter(({ type }) => type === 'function_call').length;
  const hasHostedTools = answer.output.some(({ type }) => !ownItems.has(type));
  return { text: said.map(({ content }) => toText(parts.parse(content))).join(''), calls, hasHostedTools };
}

function toText(written: z.infer<typeof parts>): string {
  return written
    .map(({ type, text }) => (type === 'text' || type === 'output_text' ? (text ?? '') : ''))
    .join('');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
