import type { PlanningState } from '@agent/runner/planning';
import { formatTime, type Locale } from '@agent/text';
import { toCodeSpan } from '@agent/text/outgoing';
import type { RunCost } from '../report/final-comment.ts';
import type { StatusState } from '../run/status-comment.ts';
import { formatMoney } from '../spending/format-money.ts';
import type { RunState } from '../state/run-state.ts';
import type { PulseWait } from './pulse.ts';
import { progressTexts } from './texts.ts';

/** Longest time in minutes between two updates of the status comment of a running task. */
export const beatMinutes = 5;

/** Model usage of a run. */
export interface RunUse {
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** State of a run without any text of its conversation, so that every reader may see it. */
export interface Vitals {
  readonly state: StatusState;
  /** Null if it cannot be read now. */
  readonly use: RunUse | null;
  /** Null if no price is known or it cannot be read now. */
  readonly cost: RunCost | null;
  /** Login of the user who assigned the task; null if unknown. */
  readonly giver: string | null;
  readonly wait: VitalWait | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Something that a run waits for. `until`: ISO 8601; null for no limit. */
export type VitalWait =
  | PulseWait
  | { readonly kind: 'answer' | 'reviews'; readonly until: string | null }
  | { readonly kind: 'approval' | 'resume' | 'turn' | 'start' }
  /** Changes that a person has to allow. */
  | { readonly kind: 'held'; readonly count: number };

/** Settings of the formatted vitals. */
export interface VitalsOptions {
  readonly locale: Locale;
  /** IANA name. */
  readonly timeZone: string;
  /** Name of the currency, e.g. `USD`. */
  readonly currency: string;
}

/** Formats the vitals of a run as a Markdown list; empty after its end. */
export function formatVitals(vitals: Vitals, { locale, timeZone, currency }: VitalsOptions): string {
  const { state, use, cost, wait, now } = vitals;
  if (state === 'ended') return '';
  const { vitals: text } = progressTexts[locale];
  const toTime = (at: number | string) => formatTime(new Date(at), timeZone, { seconds: false });
  const isAlive = state === 'claimed' || state === 'working';
  const spent = cost === null ? null : formatMoney(cost.micros, currency);
  return [
    text.state(text.states[toShownState(state, wait)]),
    use === null || use.modelCalls === 0 ? '' : text.use({ ...use, spent }),
    wait === null ? '' : text.waitsFor(describeWait(wait, { ...vitals, text, toTime })),
    text.sign(toTime(now), isAlive ? beatMinutes : null),
  ]
    .filter((line) => line !== '')
    .map((line) => `- ${line}`)
    .join('\n');
}

/** State of a run in its status comment, as other views derive it from its record; `interrupted` until the agent starts again. */
export function toShownState(
  state: Exclude<StatusState, 'ended'>,
  wait: VitalWait | null,
): Exclude<RunState, 'delivering' | 'ended'> | 'interrupted' {
  switch (state) {
    case 'claimed':
    case 'working':
      return 'running';
    case 'watching':
      return 'in_review';
    case 'paused':
      return wait === null || wait.kind === 'resume' ? 'paused' : 'needs_input';
    default:
      return state;
  }
}

type VitalTexts = (typeof progressTexts)['en']['vitals'];

function describeWait(
  wait: VitalWait,
  {
    giver,
    text: { waits },
    toTime,
  }: Pick<Vitals, 'giver'> & {
    readonly text: VitalTexts;
    readonly toTime: (at: number | string) => string;
  },
): string {
  const who = giver === null ? null : toCodeSpan(`@${giver}`);
  switch (wait.kind) {
    case 'model':
    case 'agent':
    case 'model-away':
      return waits[wait.kind](toTime(wait.since));
    case 'model-operator':
      return waits.operator(waits.causes[wait.cause] ?? waits.otherCause, toTime(wait.since));
    case 'tool':
      return waits.tool(toCodeSpan(wait.tool), toTime(wait.since));
    case 'answer':
      return waits.answer(who, wait.until === null ? null : toTime(wait.until));
    case 'reviews':
      return waits.reviews(wait.until === null ? null : toTime(wait.until));
    case 'held':
      return waits.held(wait.count, who);
    case 'approval':
    case 'resume':
      return waits[wait.kind](who);
    case 'turn':
    case 'start':
      return waits[wait.kind];
  }
}

/** Facts that decide what a run waits for. */
export interface WaitFacts {
  readonly state: StatusState;
  readonly plan: Pick<PlanningState, 'question' | 'approval'> | null;
  readonly pulse: PulseWait | null;
  /** End of the time in which a delivered run watches its pull request; null if it does not watch. */
  readonly watchedUntil: string | null;
  /** Number of changes that a person has to allow before the run continues. */
  readonly held: number;
}

/** Finds what a run waits for; null if it is busy. */
export function findWait({ state, plan, pulse, watchedUntil, held }: WaitFacts): VitalWait | null {
  switch (state) {
    case 'claimed':
    case 'working':
      return pulse;
    case 'queued':
      return pulse?.kind === 'model-away' || pulse?.kind === 'model-operator' ? pulse : { kind: 'turn' };
    case 'interrupted':
      return { kind: 'start' };
    case 'watching':
      return { kind: 'reviews', until: watchedUntil };
    case 'paused': {
      if (held > 0) return { kind: 'held', count: held };
      const question = plan?.question ?? null;
      if (question !== null) return { kind: 'answer', until: question.until };
      return { kind: plan?.approval?.state === 'asked' ? 'approval' : 'resume' };
    }
    case 'ended':
      return null;
  }
}
