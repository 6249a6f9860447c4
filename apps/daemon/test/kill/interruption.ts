import { describeMoment, type Moment, type RequestMoment, type TimeMoment } from './moment.ts';

/** What happens to one life of the daemon. */
export type Interruption = Kill | Pause;

export interface Kill {
  readonly act: 'kill';
  readonly moment: Moment;
}

export interface Pause {
  readonly act: 'pause';
  /** `everything`: by the signal's file; `each run`: by a request for each run that there is at the moment. */
  readonly what: 'everything' | 'each run';
  readonly moment: RequestMoment | TimeMoment;
  /** Kills it while it pauses: counted from the pause on. Null: it ends by itself. */
  readonly kill: Moment | null;
}

/** One line for people. */
export function describeInterruption(interruption: Interruption): string {
  const { act, moment } = interruption;
  if (act === 'kill') return `killed ${describeMoment(moment)}`;
  const { what, kill } = interruption;
  const end = kill === null ? '' : `, then killed ${describeMoment(kill)} (counted from there)`;
  return `${what} paused ${describeMoment(moment)}${end}`;
}
