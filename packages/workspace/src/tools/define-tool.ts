import { z } from 'zod';
import type { RunTool, ToolCallOptions } from '../ports.ts';

/** A tool before its input has been checked. */
export interface ToolDefinition<Input extends z.ZodType> {
  readonly description: string;
  readonly input: Input;
  readonly readOnly: boolean;
  readonly run: (
    input: z.output<Input>,
    options: Pick<ToolCallOptions, 'signal' | 'onFailure'>,
  ) => Promise<string>;
}

/** Makes a tool whose input is checked before it runs; a wrong one is answered with what is wrong. */
export function defineTool<Input extends z.ZodType>(definition: ToolDefinition<Input>): RunTool {
  return {
    description: definition.description,
    inputSchema: definition.input,
    readOnly: definition.readOnly,
    execute: async (input, { signal, onFailure }) => {
      const parsed = definition.input.safeParse(input);
      if (!parsed.success) throw new ToolError(`The input does not fit: ${z.prettifyError(parsed.error)}`);
      return definition.run(parsed.data, { signal, onFailure });
    },
  };
}

export interface ToolErrorOptions {
  readonly cause?: unknown;
  readonly retryable?: boolean;
  readonly code?: 'refused' | null;
}

/** Tells the model why a call failed and what to do instead. */
export class ToolError extends Error {
  /** Whether the very same call may succeed a moment later; false unless it is said: it is another call that helps. */
  readonly retryable: boolean;
  /** `refused`: the call is none that may be made, which says nothing of the tool. Null for all else. */
  readonly code: 'refused' | null;

  constructor(message: string, { retryable = false, code = null, ...options }: ToolErrorOptions = {}) {
    super(message, options);
    this.name = 'ToolError';
    this.retryable = retryable;
    this.code = code;
  }
}
