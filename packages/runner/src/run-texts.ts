import type { ModelFailure } from './classify-model-error.ts';

/** Why an answer is of no use. */
export type UnusableKind = 'empty' | 'cut-off' | 'call-in-words' | 'filtered' | 'too-long';

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
  /** Why a run is left whose model is not to be asked now. */
  readonly modelAway: string;
  readonly answersOthers: string;
  readonly modelFailed: (
    failure: Pick<ModelFailure, 'kind' | 'status' | 'detail'> & { readonly timeoutMs: number },
  ) => string;
  readonly sameCall: (call: { readonly tool: string; readonly times: number }) => string;
  readonly unusableAnswer: Readonly<Record<UnusableKind, string>>;
  readonly journalFailed: (failure: { readonly isFull: boolean; readonly detail: string }) => string;
}
