import type { PrePlanningResult } from './pre-planning-result.ts';

/** Every port function takes its options last, with the signal that ends it early. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Asks a model one question, apart from the run's own conversation, and gives back its text. */
export interface LanguageModelPort {
  readonly ask: (
    prompt: { readonly instructions: string; readonly text: string } & CallOptions,
  ) => Promise<string>;
}

/** What a tool that only reads gave back; `failed` says why it could not. */
export type ToolAnswer =
  | { readonly status: 'success'; readonly output: string }
  | { readonly status: 'failed'; readonly reason: string; readonly retryable: boolean };

/** Runs a tool that changes nothing anywhere. */
export interface ReadOnlyTools {
  readonly names: readonly string[];
  readonly call: (
    request: { readonly tool: string; readonly parameters: Readonly<Record<string, unknown>> } & CallOptions,
  ) => Promise<ToolAnswer>;
}

/** Keeps details too long for a prompt, under the id of what was wanted. */
export interface DetailStore {
  readonly save: (infoId: string, text: string) => Promise<void>;
}

/** How the phase ended: with its result, or with what it takes to go on later. */
export type PrePlanningOutcome =
  | { readonly status: 'done'; readonly result: PrePlanningResult }
  | { readonly status: 'interrupted'; readonly state: unknown };
