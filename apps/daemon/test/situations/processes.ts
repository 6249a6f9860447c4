import { now, type ReportedCondition, type ReportedHold, type SituationProcess } from './situation.ts';

const minutesAgo = (minutes: number): number => now - minutes * 60_000;

export const failed = (part: string, minutes: number, reason = 'HTTP 401'): ReportedCondition => ({
  ...{ part, state: 'failed', since: minutesAgo(minutes), reason },
});
export const waiting = (part: string, minutes: number, reason = 'ECONNREFUSED'): ReportedCondition => ({
  ...{ part, state: 'waiting', since: minutesAgo(minutes), reason },
});
export const ok = (part: string): ReportedCondition => ({
  part,
  state: 'ok',
  since: minutesAgo(60),
  reason: null,
});
export const slow = (minutes: number, measuredMs: number): ReportedCondition => ({
  ...waiting('response:github.com', minutes, `issues.list takes ${measuredMs / 1_000} s`),
  measured_ms: measuredMs,
});
export const longCall = (minutes: number): ReportedCondition =>
  waiting(
    'model-response',
    minutes,
    `3 runs wait for an answer of the model, the longest for ${minutes} minutes`,
  );
export const hold = (cause: string, minutes: number, scope: string | null = null): ReportedHold => ({
  ...{ cause, scope, since: minutesAgo(minutes), until: now + 20 * 60_000 },
});

export const leads = [ok('lead'), ok('platform:github')];
export const poller: SituationProcess = { number: 11, role: 'look', conditions: leads };
export const worker: SituationProcess = { number: 12, role: 'work', conditions: [ok('model')] };
export const second: SituationProcess = { number: 13, role: 'work', conditions: [ok('model')] };
export const single: SituationProcess = { number: 11, role: 'both', conditions: [...leads, ok('model')] };
export const all = [poller, worker, second];
export const ready = { status: 'ready' } as const;
