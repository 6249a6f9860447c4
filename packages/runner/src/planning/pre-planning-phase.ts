import type { CallOptions } from '@agent/platforms';
import { isProgrammingError, toErrorMessage } from '@agent/text';
import type { OpenedConversation, RunTaskOptions } from '../run-options.ts';

/** Request that is understood before it is planned. */
export interface PlanningRequest {
  /** Login of its author; null if it is not known. */
  readonly author: string | null;
  /** True if its author can give the agent instructions. */
  readonly isTrusted: boolean;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** Oldest first; `createdAt` in ISO 8601. */
  readonly comments: readonly {
    readonly id?: string | undefined;
    readonly author: string;
    readonly createdAt: string;
    readonly body: string;
    readonly isTrusted: boolean;
  }[];
  /** Text that earlier runs left; null for a first run. */
  readonly history: string | null;
}

/** Input of a pre-planning phase. */
export interface PrePlanningPhaseRun extends CallOptions {
  readonly request: PlanningRequest;
  /** State to resume from, as `getState` returned it. */
  readonly state?: unknown;
  /** `interrupt` if the run was paused, stopped or shut down. */
  readonly checkpoint: () => Promise<'go' | 'interrupt'>;
}

/** Pre-planning of a coordinator: a `PrePlanningManager` of `@agent/pre-planning`, or an object whose `execute` resolves with text. */
export interface PrePlanningPhase {
  /** Resolves with text for the plan, empty for none; or with an outcome, whose text `formatForPlanning` returns. */
  readonly execute: (
    run: PrePlanningPhaseRun,
  ) => Promise<string | { readonly status: 'done' | 'interrupted' | 'disabled' }>;
  readonly formatForPlanning?: (() => string) | undefined;
  readonly getState?: (() => unknown) | undefined;
}

type Steering = Pick<RunTaskOptions, 'signals' | 'signal' | 'logger'>;

/**
 * Runs a phase and returns its text. A phase that fails costs the run what it did not find out, never the run itself.
 *
 * @throws {TypeError} for a defect in code, such as an outcome that is neither text nor an object with a status
 */
export async function runPrePlanning(
  phase: PrePlanningPhase,
  {
    request,
    signal,
    steering,
  }: { readonly request: PlanningRequest; readonly steering: Steering } & CallOptions,
): Promise<string> {
  const checkpoint = createPhaseCheckpoint(steering, signal);
  const state = phase.getState?.();
  try {
    const outcome = await phase.execute({ request, checkpoint, signal, state });
    if (typeof outcome === 'string') return outcome;
    if (outcome?.status === 'disabled') return '';
    if (outcome?.status === undefined)
      throw new TypeError('"execute" resolved with neither text nor an outcome');
  } catch (err) {
    if (signal?.aborted) throw err;
    if (isProgrammingError(err) || isInvalidInput(err)) throw toDefect(toErrorMessage(err), err);
    steering.logger?.warn({ err }, 'pre-planning failed; continuing with its results so far');
  }
  return phase.formatForPlanning?.() ?? '';
}

function createPhaseCheckpoint(
  { signals, signal: shutdown, logger }: Steering,
  signal: AbortSignal | undefined,
): PrePlanningPhaseRun['checkpoint'] {
  return async () => {
    if (shutdown?.aborted) return 'interrupt';
    try {
      return ((await signals?.read({ signal })) ?? 'none') === 'none' ? 'go' : 'interrupt';
    } catch (err) {
      if (isProgrammingError(err)) throw err;
      logger?.warn({ err }, 'failed to check for pause or stop');
      return 'go';
    }
  };
}

/** Characters of a title that is made of a message. */
const maxTitleChars = 200;

/**
 * Makes a request of a conversation's user messages: its first line is the title. The model receives these messages as
 * the user's own, so their author is trusted.
 */
export function toPlanningRequest({ messages }: OpenedConversation): PlanningRequest {
  const body = messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) =>
      typeof content === 'string'
        ? content
        : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    )
    .join('\n\n');
  const firstLine = body.split('\n').find((line) => line.trim() !== '') ?? '';
  const title = firstLine
    .replace(/^#+\s*/, '')
    .slice(0, maxTitleChars)
    .trim();
  return { author: null, isTrusted: true, title, body, labels: [], comments: [], history: null };
}

function isInvalidInput(err: unknown): boolean {
  return (err as { readonly code?: unknown } | null)?.code === 'invalid-input';
}

function toDefect(problem: string, cause?: unknown): TypeError {
  return new TypeError(
    `PlanningCoordinator cannot use "prePlanningManager": ${problem}. Assign a PrePlanningManager of @agent/pre-planning, an object whose "execute" resolves with text, or null.`,
    { cause },
  );
}
