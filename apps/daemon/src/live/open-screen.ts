import type { TaskBoard } from '@agent/orchestrator';
import { processLocale } from '@agent/text/locale';
import type { LogFormat } from '../log/logger.ts';

export interface ScreenOptions {
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** False with `--no-live`. */
  readonly live: boolean;
  readonly logFormat: LogFormat;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly board: TaskBoard;
  readonly now: () => number;
}

export interface Screen {
  /** Stream for log lines. */
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly close: () => void;
}

/** The place for log lines: with the live view below them where there is a terminal for it, else as it is. */
export async function openScreen(options: ScreenOptions): Promise<Screen> {
  const { output, board, now, environment, logFormat, live: wanted } = options;
  if (!isLive({ wanted, logFormat, terminal: output.isTTY === true, environment })) {
    return { output, close: () => {} };
  }
  const { openLiveView } = await import('./live-view.ts');
  return openLiveView({ terminal: output, board, now, locale: processLocale(environment) });
}

export interface LiveConditions {
  /** Wish of the command line: `--no-live` is false. */
  readonly wanted: boolean;
  readonly logFormat: LogFormat;
  readonly terminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Tells whether lines may be redrawn in place: only where a person looks at a terminal that can do it. */
export function isLive({ wanted, logFormat, terminal, environment }: LiveConditions): boolean {
  const { CI, TERM } = environment;
  const automated = CI !== undefined && CI !== '' && CI !== 'false' && CI !== '0';
  return wanted && terminal && logFormat !== 'json' && TERM !== 'dumb' && !automated;
}
