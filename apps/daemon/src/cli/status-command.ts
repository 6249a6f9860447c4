import { isPauseSignalled } from '@agent/run-store';
import { type KeptCondition, readConditions } from '../board/keep-conditions.ts';
import { redactJson } from '../http/redact-json.ts';
import { toRunJson } from '../http/to-run-json.ts';
import { toInheritanceJson } from '../inheritance/to-inheritance-json.ts';
import { cleanLine } from '../text/clean-text.ts';
import { formatDuration } from '../text/format-duration.ts';
import { toRunSummaries } from '../text/run-summary.ts';
import type { CommandIo } from './command-io.ts';
import { formatStatus } from './format-status.ts';
import { openDirectory } from './open-directory.ts';
import type { CliTexts } from './texts.ts';

/** What the command line says. */
export interface StatusFlags {
  readonly config: string;
  readonly json?: boolean | undefined;
}

/** How many ended runs are listed. */
const recentRuns = 10;
/** How many of them are counted for programs. */
const countedRuns = 1_000;

/** `agent-daemon status`. @returns the exit code */
export async function statusCommand({ config, json }: StatusFlags, io: CommandIo): Promise<number> {
  const { texts, reader, owner, pauseSignalFile, redact, directories } = await openDirectory(config, io);
  const overview = await reader.readOverview({ recent: json === true ? countedRuns : recentRuns });
  const runs = toRunSummaries({ ...overview, recent: overview.recent.slice(0, recentRuns) });
  const daemon = await owner();
  const signalled = await isPauseSignalled(pauseSignalFile);
  const conditions = daemon === null ? [] : await readConditions(directories.contexts);
  if (json === true) {
    const inState = (state: string) => runs.filter((run) => run.state === state).map(toRunJson);
    const shown = {
      daemon: daemon === null ? null : { pid: daemon.pid, host: daemon.host },
      conditions: conditions.map((one) => ({ ...one, since: new Date(one.since).toISOString() })),
      pause_signal: signalled,
      running: inState('running'),
      paused: inState('paused'),
      recent: inState('ended'),
      inheritance: toInheritanceJson(overview),
      damaged: overview.damaged.map(({ name, reason }) => ({ name, reason })),
    };
    io.print(JSON.stringify(redactJson(shown, redact), null, 2));
    return 0;
  }
  const table = formatStatus(runs, { texts, now: io.now(), columns: io.columns, owned: daemon !== null });
  const lines = [
    daemon === null ? texts.notOwned : texts.owned(daemon),
    ...(signalled ? [texts.signalled(pauseSignalFile)] : []),
    ...conditions.flatMap((one) =>
      one.state === 'ok' ? [] : [formatCondition(one, { texts, now: io.now() })],
    ),
    '',
    ...(runs.length === 0 ? [texts.noRuns] : table),
    ...overview.damaged.map(({ name, reason }) => texts.damaged(name, reason)),
  ];
  io.print(redact(lines.join('\n')));
  return 0;
}

function formatCondition(
  { part, since, reason }: KeptCondition,
  { texts, now }: { readonly texts: CliTexts; readonly now: number },
): string {
  return cleanLine(
    texts.notWell(part, { reason: reason ?? '', since: texts.since(formatDuration(now - since)) }),
  );
}
