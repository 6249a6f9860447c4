import type { LogFormat } from '../log/logger.ts';

export interface LiveConditions {
  /** What the command line says: `--no-live` is false. */
  readonly wanted: boolean;
  readonly logFormat: LogFormat;
  readonly terminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Whether lines may be redrawn in place: only where a person looks at a terminal that can do it. */
export function isLive({ wanted, logFormat, terminal, environment }: LiveConditions): boolean {
  const { CI, TERM } = environment;
  const automated = CI !== undefined && CI !== '' && CI !== 'false' && CI !== '0';
  return wanted && terminal && logFormat !== 'json' && TERM !== 'dumb' && !automated;
}
