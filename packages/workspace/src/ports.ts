import type { FlexibleSchema } from 'ai';

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

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
}

/** Tools by the name under which a model calls them. */
export type RunTools = Readonly<Record<string, RunTool>>;
