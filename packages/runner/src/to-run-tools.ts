import type { ToolSet } from 'ai';
import type { RunTool, RunTools, TaskTools, ToolCallOptions } from './model.ts';

/** Marks that say of a tool that it changes nothing anywhere: the runner's own, and MCP's. */
interface ReadOnlyMarks {
  readonly readOnly?: boolean | undefined;
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined;
}

/**
 * Brings tools of the AI SDK and tools of the runner into one form. Of a tool that streams its result, the last value
 * counts; what is no text goes to the model as `toText` writes it.
 *
 * @throws TypeError for a tool without `execute`: the runner runs tools itself
 * @see https://ai-sdk.dev/docs/foundations/tools
 */
export function toRunTools(tools: TaskTools, toText: (result: unknown) => string = writeResult): RunTools {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, toRunTool(tool as ToolSet[string], { name, toText })]),
  );
}

function toRunTool(
  tool: ToolSet[string] & ReadOnlyMarks,
  { name, toText }: { readonly name: string; readonly toText: (result: unknown) => string },
): RunTool {
  const { description = '', inputSchema, execute, readOnly, annotations } = tool;
  if (execute === undefined) {
    throw new TypeError(`The tool "${name}" has no execute. The runner runs tools itself: give it one.`);
  }
  const run = async (input: unknown, { signal, ...call }: ToolCallOptions): Promise<string> => {
    const both = { ...call, signal, abortSignal: signal, messages: [], context: {} };
    // As a method, so that a tool may be an object with a state of its own.
    return toText(await toLast(execute.call(tool, input as never, both as never)));
  };
  return {
    description: typeof description === 'function' ? description({ context: {} } as never) : description,
    inputSchema,
    readOnly: readOnly === true || annotations?.readOnlyHint === true,
    execute: run,
  };
}

async function toLast(given: unknown): Promise<unknown> {
  const result = await given;
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const value of result as AsyncIterable<unknown>) last = value;
  return last;
}

function writeResult(result: unknown): string {
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null');
}
