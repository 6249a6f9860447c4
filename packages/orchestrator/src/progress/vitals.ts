import type { PlanningState } from '@agent/runner/planning';
import { formatTime, type Locale } from '@agent/text';
import { toCodeSpan } from '@agent/text/outgoing';
import type { RunCost } from '../report/final-comment.ts';
import type { StatusState } from '../report/status-comment.ts';
import { formatMoney } from '../spending/format-money.ts';
import type { PulseWait } from './pulse.ts';
import { progressTexts } from './texts.ts';

/** Minutes between two signs of life of a run at work, at most, as its comment promises. */
export const beatMinutes = 5;

/** Use that a run has made of its models. */
export interface RunUse {
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** State of a run, as everybody may know it: nothing of it rests on what was said. */
export interface Vitals {
  readonly state: StatusState;
  /** Null where it cannot be read now. */
  readonly use: RunUse | null;
  /** Null where nothing costs anything, or that cannot be asked now. */
  readonly cost: RunCost | null;
  /** Login of the person who gave the thread to the agent; null where the platform does not say. */
  readonly giver: string | null;
  readonly wait: VitalWait | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Something that a run waits for. `until`: ISO 8601; null for as long as it takes. */
export type VitalWait =
  | PulseWait
  | { readonly kind: 'answer' | 'reviews'; readonly until: string | null }
  | { readonly kind: 'approval' | 'resume' | 'turn' | 'start' };

/** Words of the vitals. */
export interface VitalsOptions {
  readonly locale: Locale;
  /** Zone of all times: an IANA name. */
  readonly timeZone: string;
  /** Name of the currency, for people. */
  readonly currency: string;
}

/** Formats the vitals of a run; empty for one that has ended, whose result says more. */
export function formatVitals(vitals: Vitals, { locale, timeZone, currency }: VitalsOptions): string {
  const { state, use, cost, wait, now } = vitals;
  if (state === 'ended') return '';
  const { vitals: text } = progressTexts[locale];
  const toTime = (at: number | string) => formatTime(new Date(at), timeZone);
  const isAlive = state === 'claimed' || state === 'working';
  const spent = cost === null ? null : formatMoney(cost.micros, currency);
  return [
    text.state(text.states[state]),
    use === null || use.modelCalls === 0 ? '' : text.use({ ...use, spent }),
    wait === null ? '' : text.waitsFor(describeWait(wait, { ...vitals, text, toTime })),
    text.sign(toTime(now), isAlive ? beatMinutes : null),
  ]
    .filter((line) => line !== '')
    .map((line) => `- ${line}`)
    .join('\n');
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
    case 'tool':
      return waits.tool(toCodeSpan(wait.tool), toTime(wait.since));
    case 'answer':
      return waits.answer(who, wait.until === null ? null : toTime(wait.until));
    case 'reviews':
      return waits.reviews(wait.until === null ? null : toTime(wait.until));
    case 'approval':
    case 'resume':
      return waits[wait.kind](who);
    case 'turn':
    case 'start':
      return waits[wait.kind];
  }
}

/** Facts by which is known what a run waits for. */
export interface WaitFacts {
  readonly state: StatusState;
  readonly plan: Pick<PlanningState, 'question' | 'approval'> | null;
  readonly pulse: PulseWait | null;
  /** Time until which a delivered run stays with its change request; null where it does not. */
  readonly watchedUntil: string | null;
}

/** Finds what a run waits for; null for one that is busy. */
export function findWait({ state, plan, pulse, watchedUntil }: WaitFacts): VitalWait | null {
  switch (state) {
    case 'claimed':
    case 'working':
      return pulse;
    case 'queued':
      return pulse?.kind === 'model-away' ? pulse : { kind: 'turn' };
    case 'interrupted':
      return { kind: 'start' };
    case 'watching':
      return { kind: 'reviews', until: watchedUntil };
    case 'paused': {
      const question = plan?.question ?? null;
      if (question !== null) return { kind: 'answer', until: question.until };
      return { kind: plan?.approval?.state === 'asked' ? 'approval' : 'resume' };
    }
    case 'ended':
      return null;
  }
}
