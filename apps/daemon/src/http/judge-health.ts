import type { BoardState } from '../board/board-state.ts';

/** What `/healthz` says, in the words of its JSON. */
export interface Health {
  readonly status: 'ok' | 'failing' | 'ending';
  readonly uptime_seconds: number;
  /** Platforms whose looks have failed for too long, each with the last reason. */
  readonly failing: Readonly<Record<string, string>>;
}

export interface JudgeHealthOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly startedAt: number;
  /** How long looks at a platform may fail, in milliseconds, before something has to be done about it. */
  readonly toleratedMs: number;
}

/** Whether the daemon can do its work: a platform that fails for a moment is tolerated, one that stays away is not. */
export function judgeHealth(board: BoardState, options: JudgeHealthOptions): Health {
  const { now, startedAt, toleratedMs } = options;
  const failing = [...board.looks].filter(
    ([, { failingSince }]) => failingSince !== null && now - failingSince >= toleratedMs,
  );
  return {
    status: board.ending ? 'ending' : failing.length > 0 ? 'failing' : 'ok',
    uptime_seconds: Math.floor((now - startedAt) / 1_000),
    failing: Object.fromEntries(failing.map(([platform, { error }]) => [platform, error ?? ''])),
  };
}
