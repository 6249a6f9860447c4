import type { ToolSet } from 'ai';
import type { RunTool, RunTools, ToolCallOptions } from './model.ts';

type AiSdkTool = ToolSet[string];

/** Options of `fromAiSdkTools`. */
export interface AiSdkToolOptions {
  /** Names of those that change nothing anywhere. Default none. */
  readonly readOnly?: readonly string[] | undefined;
}

/**
 * Tools of the AI SDK as tools of a run. What one gives that is no text goes to the model as JSON; of one that
 * streams, the last.
 *
 * @throws TypeError for a tool without `execute`: the runner runs tools itself
 * @see https://ai-sdk.dev/docs/foundations/tools
 */
export function fromAiSdkTools(tools: ToolSet, { readOnly = [] }: AiSdkToolOptions = {}): RunTools {
  const converted = Object.entries(tools).map(([name, tool]) => {
    return [name, toRunTool(tool, { name, readOnly: readOnly.includes(name) })] as const;
  });
  return Object.fromEntries(converted);
}

function toRunTool(
  tool: AiSdkTool,
  { name, readOnly }: { readonly name: string; readonly readOnly: boolean },
): RunTool {
  const { description = '', inputSchema, execute } = tool;
  if (execute === undefined) {
    throw new TypeError(`The tool "${name}" has no execute. The runner runs tools itself: give it one.`);
  }
  const run = async (input: unknown, { toolCallId, signal }: ToolCallOptions): Promise<string> => {
    const call = { toolCallId, messages: [], context: {}, ...(signal && { abortSignal: signal }) };
    return toText(await toLast(execute(input as never, call as never)));
  };
  const text = typeof description === 'function' ? description({ context: {} } as never) : description;
  return { description: text, inputSchema, readOnly, execute: run };
}

async function toLast(result: unknown): Promise<unknown> {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const value of result as AsyncIterable<unknown>) last = value;
  return last;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
}
