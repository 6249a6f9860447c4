import type { RunEvent } from '@agent/runner';
import type { Condition } from './condition.ts';
import type { PreparationStage } from './preparation-stage.ts';

/** A task that this process works on, as it is shown to people. */
export interface BoardTask {
  readonly uuid: string;
  /** `owner/repo#42` */
  readonly name: string;
  readonly title: string;
  readonly url: string;
}

/** How a run ended for good. */
export type EndStatus = 'completed' | 'failed' | 'stopped' | 'paused';

/** What the daemon does, as the live view, `/metrics`, `/readyz` and `status` hear of it. */
export type BoardEvent =
  | { readonly type: 'task-begin'; readonly task: BoardTask; readonly resumed: boolean }
  /** A run that began takes over earlier ones. */
  | { readonly type: 'inheritance'; readonly depth: number; readonly tokens: number }
  /** How far a run has come with pre-planning; null when it is, or leaves it for later. */
  | { readonly type: 'preparation'; readonly uuid: string; readonly stage: PreparationStage | null }
  | { readonly type: 'run-event'; readonly uuid: string; readonly event: RunEvent }
  | { readonly type: 'run-end'; readonly uuid: string; readonly status: EndStatus }
  /** This process has let go of the task, whether it ended or is left for a later start. */
  | { readonly type: 'task-leave'; readonly uuid: string }
  | { readonly type: 'request'; readonly platform: string; readonly unchanged: boolean }
  | { readonly type: 'look'; readonly platform: string; readonly error: string | null }
  /** A part that the work rests on was seen in this state; telling the same again changes nothing. */
  | ({ readonly type: 'condition' } & Omit<Condition, 'since'>)
  | { readonly type: 'shutdown' };

/** Tells the board of something. Never throws, and costs microseconds. */
export type ObserveBoard = (event: BoardEvent) => void;
