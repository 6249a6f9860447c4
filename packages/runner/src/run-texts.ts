import type { ModelFailure } from './classify-model-error.ts';

/** The reasons that people read when a run did not complete. */
export interface RunTexts {
  readonly paused: string;
  readonly stopped: string;
  /** `name` is the setting, as people know it. */
  readonly limitReached: (limit: {
    readonly kind: 'maxSteps' | 'maxDurationMs' | 'maxTokens' | 'maxToolFailures';
    readonly name: string;
    readonly value: number;
  }) => string;
  readonly toolFailed: (failure: {
    readonly tool: string;
    readonly times: number;
    readonly name: string;
    readonly lastError: string;
  }) => string;
  readonly modelFailed: (failure: ModelFailure & { readonly timeoutMs: number }) => string;
  readonly unusableAnswer: Readonly<Record<'empty' | 'cut-off', string>>;
  readonly journalFailed: (failure: { readonly isFull: boolean; readonly detail: string }) => string;
}
