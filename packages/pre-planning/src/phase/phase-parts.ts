import type { AnswerSource } from '../answers/answer-source.ts';
import type { CallOptions, ReadOnlyTools } from '../ports.ts';
import type { PrePlanningRequest, RequestComment } from '../pre-planning-request.ts';
import type { PrePlanningEvent } from './pre-planning-event.ts';
import type { PhaseSettings } from './pre-planning-options.ts';
import type { StateKeeper } from './state-keeper.ts';

/**
 * Goes on, stops here to go on later, or takes in what was said meanwhile and then goes on, unless `interrupts`: what
 * was said is kept in the state, and the phase stops here.
 */
export type CheckpointAnswer =
  | 'go'
  | 'interrupt'
  | { readonly newComments: readonly RequestComment[]; readonly interrupts?: boolean | undefined };

/** What the phase works on. */
export interface PrePlanningRun extends CallOptions {
  readonly request: PrePlanningRequest;
  /**
   * Asked before every sub-phase and every item; default `go`. The first time it is asked is before anything else is
   * done, so that a phase which is taken up hears what was said since. @see seed 004 §12.2, decision E16
   */
  readonly checkpoint?: () => Promise<CheckpointAnswer>;
}

/** What the sub-phases share. */
export interface PhaseParts {
  readonly source: AnswerSource;
  readonly tools: ReadOnlyTools;
  readonly settings: PhaseSettings;
  readonly keeper: StateKeeper;
  /** Tells listeners; `key` names a notice that is given once, also over several processes. */
  readonly announce: (event: PrePlanningEvent, key?: string) => Promise<void>;
  /** Asks the run's checkpoint and takes in what it brings. */
  readonly check: (run: PrePlanningRun) => Promise<'go' | 'interrupt'>;
}

/** The request with what was said since the phase began. */
export function withNewComments(
  request: PrePlanningRequest,
  added: readonly RequestComment[],
): PrePlanningRequest {
  const known = new Set(request.comments.map(toKey));
  return {
    ...request,
    comments: [...request.comments, ...added.filter((comment) => !known.has(toKey(comment)))],
  };
}

function toKey({ author, createdAt, body }: RequestComment): string {
  return JSON.stringify([author, createdAt, body]);
}
