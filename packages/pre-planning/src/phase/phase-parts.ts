import type { CallOptions } from '@agent/platforms';
import type { Logger } from '@agent/text';
import { createTurns } from '@agent/text/waiting';
import type { AnswerSource } from '../answers/answer-source.ts';
import type { ShowComments } from '../answers/prompt-options.ts';
import type { PrePlanningRequest, ReadOnlyTools, RequestComment } from '../ports.ts';
import type { PhaseSettings, PrePlanningEvent } from './pre-planning-options.ts';
import { initialState, type PrePlanningState, readPrePlanningState } from './pre-planning-state.ts';
import { parseRejections, rejectAssumptions } from './reject-assumptions.ts';

/**
 * Goes on, stops here to go on later, or takes in what was said meanwhile and then goes on, unless `interrupts`: what
 * was said is kept in the state, and the phase stops here.
 */
export type CheckpointAnswer =
  | 'go'
  | 'interrupt'
  | { readonly newComments: readonly RequestComment[]; readonly interrupts?: boolean | undefined };

/** Request and checkpoint of one execution. */
export interface PrePlanningRun extends CallOptions {
  readonly request: PrePlanningRequest;
  /**
   * Asked before every sub-phase and every item; default `go`. The first time it is asked is before anything else is
   * done, so that a phase which is taken up hears what was said since. @see seed 004 §12.2, decision E16
   */
  readonly checkpoint?: () => Promise<CheckpointAnswer>;
}

/** Parts that the sub-phases share. */
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

/** Ports of the phase. */
export interface PrePlanningPorts {
  readonly source: AnswerSource;
  readonly tools: ReadOnlyTools;
  /** Shows the comments of the request, whatever the room is. Default: the newest that fit it. */
  readonly showComments?: ShowComments | undefined;
}

/** Puts together what the sub-phases share. */
export function createPhaseParts(
  { source, tools, showComments }: PrePlanningPorts,
  given: PhaseSettings,
): PhaseParts {
  const settings = { ...given, prompt: { ...given.prompt, showComments } };
  const keeper = createStateKeeper(settings.saveState, settings.logger);
  return {
    source,
    tools,
    settings,
    keeper,
    announce: (event, key) => announce(event, { key, settings, keeper }),
    check: (run) => check(run, { settings, keeper }),
  };
}

interface Announcing {
  readonly key: string | undefined;
  readonly settings: PhaseSettings;
  readonly keeper: StateKeeper;
}

async function announce(event: PrePlanningEvent, { key, settings, keeper }: Announcing): Promise<void> {
  if (key !== undefined && keeper.state().announced.includes(key)) return;
  try {
    await settings.onEvent(event);
  } catch (err) {
    settings.logger?.warn({ err, event: event.type }, 'event listener failed');
  }
  if (key !== undefined) await keeper.update(({ announced }) => ({ announced: [...announced, key] }));
}

async function check(
  { checkpoint = async () => 'go' }: PrePlanningRun,
  { settings, keeper }: Pick<Announcing, 'settings' | 'keeper'>,
): Promise<'go' | 'interrupt'> {
  const answer = await checkpoint();
  if (typeof answer === 'string') return answer;
  const { newComments, interrupts = false } = answer;
  const next = interrupts ? 'interrupt' : 'go';
  if (newComments.length === 0) return next;
  const rejections = newComments.flatMap(({ body, isTrusted }) => (isTrusted ? parseRejections(body) : []));
  await keeper.update((state) => ({
    ...rejectAssumptions(state, { rejections, locale: settings.prompt.locale }).change,
    new_comments: [...state.new_comments, ...newComments],
  }));
  return next;
}

/** Holds the state of a phase, and keeps each change before anything rests on it. */
interface StateKeeper {
  readonly state: () => PrePlanningState;
  /**
   * Changes it at once; resolves when it is kept. Changes that come while an earlier state is being kept are kept
   * together: a state holds all that was collected, and to write it once for each item would cost the square of them.
   */
  readonly update: (change: (state: PrePlanningState) => Partial<PrePlanningState>) => Promise<void>;
  /** Takes up what an earlier process kept; what can't be read begins anew, with a warning. */
  readonly restore: (written: unknown) => void;
}

export function createStateKeeper(
  saveState: (state: PrePlanningState) => Promise<void>,
  logger: Logger | null,
): StateKeeper {
  let state = initialState;
  const inTurn = createTurns();
  let waiting: Promise<void> | null = null;
  const save = (): Promise<void> => {
    waiting = null;
    return saveState(state);
  };
  return {
    state: () => state,
    update: (change) => {
      state = { ...state, ...change(state) };
      waiting ??= inTurn(save);
      return waiting;
    },
    restore: (written) => {
      if (written === null || written === undefined) return;
      state = readPrePlanningState(written, logger) ?? state;
    },
  };
}
