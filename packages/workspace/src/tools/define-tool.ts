import { showHiddenCharacters, wrapToolOutput } from '@agent/text';
import type { FlexibleSchema } from 'ai';
import { z } from 'zod';
import { ToolError } from '../workspace-error.ts';

/** A tool that a model may call, in the shape that `@agent/runner` takes. */
export interface RunTool {
  readonly description: string;
  readonly inputSchema: FlexibleSchema<unknown>;
  /** True when running it changes nothing anywhere. */
  readonly readOnly: boolean;
  /** Resolves to what the model is told; rejects with what went wrong, which it is told as well. */
  readonly execute: (input: unknown, options: ToolCallOptions) => Promise<string>;
}

/** Facts of one call of a tool. */
export interface ToolCallOptions {
  readonly toolCallId: string;
  readonly signal?: AbortSignal | undefined;
  /** Takes note that the work failed although the call was carried out, in a few words such as `exit code 1`. */
  readonly onFailure?: ((failure: string) => void) | undefined;
  /** Room for the result in the model's window. A longer result is shown in part. Default: not limited. */
  readonly room?: ResultRoom | undefined;
}

/** Room for a text in the window of a model. */
export interface ResultRoom {
  readonly maxTokens: number;
  readonly count: (text: string) => number;
}

/** Tools by the name under which a model calls them. */
export type RunTools = Readonly<Record<string, RunTool>>;

/** A tool before its input has been checked. */
interface ToolDefinition<Input extends z.ZodType> {
  readonly description: string;
  readonly input: Input;
  readonly readOnly: boolean;
  readonly run: (
    input: z.output<Input>,
    options: Pick<ToolCallOptions, 'signal' | 'onFailure' | 'room'>,
  ) => Promise<string>;
}

/**
 * Makes a tool whose input is checked before it runs; a wrong one is answered with what is wrong.
 *
 * @example
 * const today = defineTool({
 *   description: 'Says which day it is.',
 *   input: z.object({ zone: z.string().default('UTC') }),
 *   readOnly: true,
 *   run: async ({ zone }) => new Date().toLocaleDateString('en', { timeZone: zone }),
 * });
 */
export function defineTool<Input extends z.ZodType>(definition: ToolDefinition<Input>): RunTool {
  return {
    description: definition.description,
    inputSchema: definition.input,
    readOnly: definition.readOnly,
    execute: async (input, { signal, onFailure, room }) => {
      const parsed = definition.input.safeParse(input);
      if (!parsed.success) throw new ToolError(`The input does not fit: ${z.prettifyError(parsed.error)}`);
      return definition.run(parsed.data, { signal, onFailure, room });
    },
  };
}

/**
 * The tools as the conversation uses them: what they answer stands in an envelope of the run, because a repository, a
 * program or a server may say anything. Why a call failed stands there, too, but for errors whose words are our own.
 *
 * @example
 * const tools = encloseOutputs(createFileTools('/srv/worktree'), randomUUID());
 */
export function encloseOutputs(tools: RunTools, nonce: string): RunTools {
  const enclosed = Object.entries(tools).map(([name, tool]) => [name, encloseOutput(tool, { name, nonce })]);
  return Object.fromEntries(enclosed) as RunTools;
}

/** Tokens of the lines around an output. */
const envelopeTokens = 160;

function withinEnvelope(room: ResultRoom | undefined): ResultRoom | undefined {
  return room && { ...room, maxTokens: Math.max(envelopeTokens, room.maxTokens - envelopeTokens) };
}

function encloseOutput(
  tool: RunTool,
  { name, nonce }: { readonly name: string; readonly nonce: string },
): RunTool {
  return {
    ...tool,
    execute: async (input, options) => {
      try {
        const output = await tool.execute(input, { ...options, room: withinEnvelope(options.room) });
        // What is no text is refused by the runner, in its words.
        return typeof output === 'string' ? wrapToolOutput(output, { tool: name, nonce }) : output;
      } catch (error) {
        if (error instanceof ToolError) error.message = showHiddenCharacters(error.message).text;
        else if (error instanceof Error)
          error.message = `The call failed.\n${wrapToolOutput(error.message, { tool: name, nonce })}`;
        throw error;
      }
    },
  };
}
