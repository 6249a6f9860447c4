import { type KeptCondition, readConditions, toInheritanceJson } from '@agent/orchestrator';
import { isPauseSignalled } from '@agent/run-store';
import { type Json, redactJson } from '../../http/redact-json.ts';
import { toRunJson } from '../../http/to-run-json.ts';
import { cleanLine } from '../../text/clean-text.ts';
import { formatDuration } from '../../text/format-duration.ts';
import { type RunSummary, toRunSummaries } from '../../text/run-summary.ts';
import { type AskedDaemon, askDaemon, type DaemonView } from '../ask-daemon.ts';
import type { CommandIo } from '../command-io.ts';
import { filterRuns, type RunFilter } from '../filter-runs.ts';
import { formatStatus } from '../format-status.ts';
import { openDirectory } from '../open-directory.ts';
import type { CliTexts } from '../texts.ts';

/** What the command line says. */
export interface StatusFlags extends RunFilter {
  readonly config: string;
  readonly json?: boolean | undefined;
}

/** How many ended runs are listed. */
const recentRuns = 10;
/** How many of them are counted for programs. */
const countedRuns = 1_000;
/** How many of them a filter looks at. */
const searchedRuns = 10_000;

/** `agent-daemon status`. @returns the exit code */
export async function statusCommand(
  { config, json, ...filter }: StatusFlags,
  io: CommandIo,
): Promise<number> {
  const opened = await openDirectory(config, io);
  const { texts, reader, owner, pauseSignalFile, redact, directories } = opened;
  const isFiltered = Object.values(filter).some((one) => one !== undefined);
  const read = json === true ? countedRuns : recentRuns;
  const overview = await reader.readOverview({ recent: isFiltered ? searchedRuns : read });
  const matching = filterRuns(toRunSummaries(overview), filter);
  const ended = matching.filter(({ state }) => state === 'ended').slice(0, recentRuns);
  const runs = [...matching.filter(({ state }) => state !== 'ended'), ...ended];
  const daemon = await owner();
  const asked = await askDaemon(daemon, opened);
  const signalled = await isPauseSignalled(pauseSignalFile);
  const conditions = daemon === null ? [] : await readConditions(directories.contexts);
  if (json === true) {
    const inState = (state: string) => runs.filter((run) => run.state === state);
    const counted = { ...overview, recent: overview.recent.slice(0, countedRuns) };
    const shown = {
      daemon: daemon === null ? null : { pid: daemon.pid, host: daemon.host },
      conditions: conditions.map((one) => ({ ...one, since: new Date(one.since).toISOString() })),
      pause_signal: signalled,
      live: toLiveJson(asked),
      running: inState('running').map((run) => toProgressJson(run, asked)),
      paused: inState('paused').map(toRunJson),
      recent: inState('ended').map(toRunJson),
      inheritance: toInheritanceJson(counted),
      damaged: overview.damaged.map(({ name, reason }) => ({ name, reason })),
    };
    io.print(JSON.stringify(redactJson(shown, redact), null, 2));
    return 0;
  }
  const steps = new Map(asked.view?.running.map(({ uuid, step }) => [uuid, step]));
  const table = formatStatus(runs, {
    texts,
    now: io.now(),
    columns: io.columns,
    owned: daemon !== null,
    steps,
  });
  const lines = [
    daemon === null ? texts.notOwned : texts.owned(daemon),
    ...(signalled ? [texts.signalled(pauseSignalFile)] : []),
    ...conditions.flatMap((one) =>
      one.state === 'ok' ? [] : [formatCondition(one, { texts, now: io.now() })],
    ),
    ...formatQueue(asked, texts),
    '',
    ...(runs.length === 0 ? [isFiltered ? texts.noneMatch : texts.noRuns] : table),
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

/** Null with a reason where the daemon could not be asked: that is not an empty queue. */
function toLiveJson(asked: AskedDaemon): Json {
  if (asked.view === null) return { asked: false, reason: asked.unasked, queued: null, held_back: null };
  const { queued, held_back } = asked.view;
  return { asked: true, reason: null, queued, held_back };
}

/** A running run with how far it is; nulls where that is not known. */
function toProgressJson(run: RunSummary, { view }: AskedDaemon): Json {
  const known = view?.running.find(({ uuid }) => uuid === run.uuid);
  const { preparation = null, step = null, tool = null, tokens = null } = known ?? {};
  return { ...toRunJson(run), preparation, step, tool, tokens };
}

function formatQueue(asked: AskedDaemon, texts: CliTexts): readonly string[] {
  if (asked.view === null) return asked.unasked === null ? [] : [cleanLine(texts.notAsked(asked.unasked))];
  const { queued, held_back: hold }: DaemonView = asked.view;
  if (queued.length === 0) return [];
  const heldBack = hold && { reason: hold.reason, duration: formatDuration(hold.seconds * 1_000) };
  return [cleanLine(texts.queued(queued.length, heldBack))];
}
