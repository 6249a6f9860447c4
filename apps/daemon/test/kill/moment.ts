/** When a daemon is killed, counted within the life of one process. */
export type Moment = DiskMoment | RequestMoment | TimeMoment;

/** At one of its writes to disk. */
export interface DiskMoment {
  readonly kind: 'disk';
  /** Which one, from 1, of those that match. */
  readonly nth: number;
  /** `torn`: with half of the bytes on disk; before it where an operation writes no bytes. */
  readonly side: 'before' | 'torn' | 'after';
  /** Counts only operations whose name (`datasync messages.jsonl`, `rename running`) contains this; all when empty. */
  readonly match: string;
}

/** At one of the requests to GitHub, its git or the model. */
export interface RequestMoment {
  readonly kind: 'request';
  readonly nth: number;
  /** `meanwhile`: the daemon dies, the request is carried out all the same. */
  readonly side: 'before' | 'meanwhile' | 'after';
  /** Counts only requests whose `METHOD /path` contains this; all when empty. */
  readonly match: string;
}

export interface TimeMoment {
  readonly kind: 'time';
  /** Milliseconds after the process was started. */
  readonly afterMs: number;
}

export const momentKinds = ['disk', 'request', 'time'] as const satisfies readonly Moment['kind'][];

/** One line for people. */
export function describeMoment(moment: Moment): string {
  if (moment.kind === 'time') return `${moment.afterMs} ms after the start`;
  const what = moment.kind === 'disk' ? 'disk write' : 'request';
  const which = moment.match === '' ? '' : ` matching "${moment.match}"`;
  return `${moment.side} ${what} ${moment.nth}${which}`;
}

/** A moment before the first operation that matches. */
export const before = (kind: 'disk' | 'request', match: string): Moment => ({
  kind,
  match,
  nth: 1,
  side: 'before',
});

/** A moment after the first operation that matches. */
export const after = (kind: 'disk' | 'request', match: string): Moment => ({
  kind,
  match,
  nth: 1,
  side: 'after',
});
