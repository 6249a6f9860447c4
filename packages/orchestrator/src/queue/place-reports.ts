import type { PlaceFailure } from '@agent/platforms';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunLogger } from '../ports.ts';

export interface PlaceReportsOptions {
  readonly logger: Pick<RunLogger, 'error' | 'info'>;
  readonly observe: ObserveBoard;
}

/** Says of each repository when it cannot be asked any more, and when it can again: in the log once, not at every look. */
export function createPlaceReports({ logger, observe }: PlaceReportsOptions) {
  const failing = new Map<string, ReadonlyMap<string, string>>();
  return (platform: string, failures: readonly PlaceFailure[]): void => {
    const before: ReadonlyMap<string, string> = failing.get(platform) ?? new Map();
    const now = new Map(failures.map(({ place, error }) => [place, error.code]));
    for (const { place, error } of failures) {
      const part = `place:${platform}/${place}` as const;
      observe({ type: 'condition', part, state: 'failed', reason: error.message });
      if (before.get(place) === error.code) continue;
      logger.error(
        { platform, place, err: error },
        'a repository cannot be asked for tasks; the others go on',
      );
    }
    for (const place of before.keys()) {
      if (now.has(place)) continue;
      observe({ type: 'condition', part: `place:${platform}/${place}`, state: 'ok', reason: null });
      logger.info({ platform, place }, 'a repository can be asked for tasks again');
    }
    failing.set(platform, now);
  };
}
