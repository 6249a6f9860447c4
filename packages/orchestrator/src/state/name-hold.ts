import type { HoldCause, HoldState } from './hold.ts';

const words: Partial<Readonly<Record<HoldCause, (scope: string) => string>>> = {
  requests_primary: (host) => `the request budget of ${host}`,
  requests_secondary: (host) => `the end of the secondary rate limit of ${host}`,
  content_writes: (host) => `the hourly limit of created comments on ${host}`,
  money_day: (day) => `the end of ${day}, whose budget is used up`,
  money_repository: (path) => `a higher budget of ${path}`,
};

/** Names what tasks wait for, as in "waiting for …". */
export function nameHold({ cause, scope }: Pick<HoldState, 'cause' | 'scope'>): string {
  return words[cause]?.(scope ?? '') ?? cause;
}
