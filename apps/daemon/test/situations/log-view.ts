import type { ServiceState } from '@agent/orchestrator';
import { Holds, logEnd, ProblemLog } from '@agent/orchestrator/testing';
import type { Outcome } from '@agent/run-store';
import { now, type Situation, type SituationProcess } from './situation.ts';

/** Line of a log. */
export interface LoggedLine {
  readonly level: 'info' | 'warn';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Seconds of silence after which a process is suspended or has crashed, and logs nothing. */
const silentAfterSeconds = 20;

/** Processes of a situation that log something now. A process that shuts down logs that alone. */
export function listLogging({ processes, isEnding = false }: Situation): readonly SituationProcess[] {
  return isEnding ? [] : processes.filter(({ silentSeconds = 1 }) => silentSeconds <= silentAfterSeconds);
}

/** Reads what one process logs when a situation begins, and when it is over. */
export function readLog(
  { holds = [], number }: SituationProcess,
  state: ServiceState,
): { readonly begun: readonly LoggedLine[]; readonly ended: readonly LoggedLine[] } {
  const { lines, logger } = openLog();
  const log = new ProblemLog({ logger, now: () => now });
  const held = new Holds({ now: () => now, logger, onChange: () => {}, earlier: holds.map(toHoldState) });
  log.update(state, number);
  // The state comes again and again.
  log.update(state, number);
  for (const { cause, scope, until } of holds.map(toHoldState)) held.report({ cause, scope, until });
  const begun = lines.splice(0);
  log.update({ problems: [] }, number);
  for (const { cause, scope } of holds.map(toHoldState)) held.clear(cause, scope);
  return { begun, ended: lines };
}

/** Reads what is logged of the end of a run. */
export function readEndLine(status: Outcome, reason: string | null): LoggedLine | undefined {
  const { lines, logger } = openLog();
  const statistics = { modelCalls: 3, toolCalls: 2, inputTokens: 10, outputTokens: 5, durationMs: 1_000 };
  const url = 'https://github.com/acme/shop/issues/1';
  const run = { logger, facts: { url } } as unknown as Parameters<typeof logEnd>[0];
  const circumstances = { errorClass: 'tool_failed', tool: 'run_command' };
  logEnd(run, { status, reason, finalText: null, statistics }, circumstances);
  return lines[0];
}

function openLog() {
  const lines: LoggedLine[] = [];
  const note =
    (level: LoggedLine['level']) =>
    (fields: object, message: string): void =>
      void lines.push({ level, message, fields: { ...fields } });
  return { lines, logger: { info: note('info'), warn: note('warn') } };
}

type HoldState = ConstructorParameters<typeof Holds>[0]['earlier'] extends readonly (infer One)[] | undefined
  ? One
  : never;

const toHoldState = (hold: NonNullable<SituationProcess['holds']>[number]): HoldState =>
  ({ ...hold, by: null, reason: null }) as unknown as HoldState;
