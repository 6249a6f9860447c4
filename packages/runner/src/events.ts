import type { TokenUsage } from './model.ts';

/** Place at which the run asks for pause, stop and comments. */
export type CheckpointName = 'before_iteration' | 'before_call' | 'before_finish';

/** Verdict of a checkpoint; the first that applies, in this order. `delivered` and `go` go on. */
export type CheckpointVerdict = 'shutdown' | 'pause' | 'stop' | 'delivered' | 'go';

/** Event of a run, as it happens. Texts have had their secrets removed. */
export type RunEvent =
  | { readonly type: 'run-start'; readonly resumed: boolean }
  | { readonly type: 'checkpoint'; readonly name: CheckpointName; readonly verdict: CheckpointVerdict }
  | { readonly type: 'comments-delivered'; readonly name: CheckpointName; readonly count: number }
  | { readonly type: 'context-compressed'; readonly startSeq: number; readonly endSeq: number }
  | { readonly type: 'step-start'; readonly step: number }
  | {
      readonly type: 'model-answer';
      readonly step: number;
      readonly text: string;
      /** Names of the tools that it calls, in order. */
      readonly tools: readonly string[];
      readonly usage: TokenUsage;
    }
  | {
      readonly type: 'tool-start';
      readonly step: number;
      readonly toolCallId: string;
      readonly tool: string;
      readonly args: unknown;
    }
  | {
      /** Comes without a `tool-start` for a call that could not be carried out. */
      readonly type: 'tool-end';
      readonly step: number;
      readonly toolCallId: string;
      readonly tool: string;
      readonly args: unknown;
      readonly status: 'success' | 'error';
      readonly output: string;
      readonly durationMs: number;
    };
