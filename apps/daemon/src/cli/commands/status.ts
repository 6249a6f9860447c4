import {
  type AskedDaemon,
  askDaemon,
  type DaemonView,
  filterRuns,
  isOutbox,
  type KeptCondition,
  type RunFilter,
  type RunSummary,
  readConditions,
  toInheritanceJson,
  toRunJson,
  toRunSummaries,
} from '@agent/orchestrator';
import { listPatternFindings } from '@agent/orchestrator/platforms';
import type { Json } from '@agent/run-store';
import { mapTexts } from '@agent/text';
import {
  cleanLine,
  columnsOf,
  fitColumns,
  formatDuration,
  isolateDirection,
  padColumns,
} from '../../text/terminal-text.ts';
import type { CommandIo } from '../command-io.ts';
import { formatMembers, openDirectory } from '../open-directory.ts';
import type { CliTexts } from '../texts.en.ts';

const maxNameColumns = 48;
const minTitleColumns = 10;

/** Options and arguments of the command line. */
export interface StatusFlags extends RunFilter {
  readonly config: string;
  readonly json?: boolean | undefined;
}

/** Number of ended runs that are listed. */
const recentRuns = 10;

/** Number of them that are counted for programs. */
const countedRuns = 1_000;

/** Number of them that a filter examines. */
const searchedRuns = 10_000;

/** `agent-daemon status`. @returns the exit code */
export async function statusCommand(
  { config, json, ...filter }: StatusFlags,
  io: CommandIo,
): Promise<number> {
  const opened = await openDirectory(config, io);
  const { texts, reader, storage, redact } = opened;
  const isFiltered = Object.values(filter).some((one) => one !== undefined);
  const read = json === true ? countedRuns : recentRuns;
  const overview = await reader.readOverview({ recent: isFiltered ? searchedRuns : read });
  const matching = filterRuns(toRunSummaries(overview), filter);
  const ended = matching.filter(({ state }) => state === 'ended').slice(0, recentRuns);
  const runs = [...matching.filter(({ state }) => state !== 'ended'), ...ended];
  const members = await storage.members.list();
  const daemon = members[0] ?? null;
  const asked = await askDaemon(members, opened);
  const signaled = await storage.pauseSignal.isSet();
  const kept = await readConditions(storage);
  // What is open of a run stays so while no daemon works; everything else is a state of the daemon.
  const leader = kept.find(({ part }) => part === 'lead')?.member ?? null;
  const patterns = await listPatternFindings(storage.notes);
  const conditions = kept.filter((one) => daemon !== null || isOutbox(one));
  if (json === true) {
    const inState = (state: string) => runs.filter((run) => run.state === state);
    const counted = { ...overview, recent: overview.recent.slice(0, countedRuns) };
    const shown = {
      daemon: daemon === null ? null : { pid: daemon.pid, host: daemon.host },
      members: members.map(({ number, pid, host }) => ({ pid, host, leads: number === leader })),
      conditions: conditions.map((one) => ({ ...one, since: new Date(one.since).toISOString() })),
      patterns,
      pause_signal: signaled,
      live: toLiveJson(asked),
      running: inState('running').map((run) => toProgressJson(run, asked)),
      paused: inState('paused').map(toRunJson),
      recent: inState('ended').map(toRunJson),
      inheritance: toInheritanceJson(counted),
      damaged: overview.damaged.map(({ name, reason }) => ({ name, reason })),
    };
    io.print(JSON.stringify(mapTexts(shown, redact), null, 2));
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
    formatMembers(members, { texts, leader }),
    ...(signaled ? [texts.signaled(storage.pauseSignal.location)] : []),
    ...conditions.flatMap((one) =>
      one.state === 'ok' ? [] : [formatCondition(one, { texts, now: io.now() })],
    ),
    ...patterns.map(({ platform, pattern, found, asked_at: at }) => {
      const since = texts.since(formatDuration(io.now() - Date.parse(at)));
      return cleanLine(`${platform}: ${pattern} → ${found} (${since})`);
    }),
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
  const { preparation = null, plan = null, step = null, tool = null, tokens = null } = known ?? {};
  return {
    ...toRunJson(run),
    preparation,
    plan,
    step,
    tool,
    tokens,
    cost_micros: known?.cost_micros ?? null,
  };
}

function formatQueue(asked: AskedDaemon, texts: CliTexts): readonly string[] {
  if (asked.view === null) return asked.unasked === null ? [] : [cleanLine(texts.notAsked(asked.unasked))];
  const { queued, held_back: hold }: DaemonView = asked.view;
  if (queued.length === 0) return [];
  const heldBack = hold && { reason: hold.reason, duration: formatDuration(hold.seconds * 1_000) };
  return [cleanLine(texts.queued(queued.length, heldBack))];
}

interface FormatStatusOptions {
  readonly texts: CliTexts;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** True where a daemon works there; else what one left unfinished waits for the next. */
  readonly owned: boolean;
  /** Columns of the terminal; null for as many as it takes. */
  readonly columns: number | null;
  /** Number of calls of a run's model, by the run's uuid, as far as its daemon could be asked. */
  readonly steps: ReadonlyMap<string, number>;
}

/** A table of runs: name, state, age, the beginning of the uuid, title. The title takes what width is left. */
function formatStatus(runs: readonly RunSummary[], options: FormatStatusOptions): readonly string[] {
  const { texts, columns } = options;
  const cells = runs.map((run) => toCells(run, options));
  const rows = [[...texts.headings], ...cells];
  const widths = [0, 1, 2, 3].map((index) => Math.max(...rows.map((row) => columnsOf(row[index] ?? ''))));
  const fixed = widths.reduce((sum, width) => sum + width + 2, 0);
  const forTitle = columns === null ? Number.POSITIVE_INFINITY : columns - fixed;
  return rows.map((row) => {
    const start = widths.map((width, index) => padColumns(row[index] ?? '', width)).join('  ');
    const title = forTitle < minTitleColumns ? '' : fitColumns(row[4] ?? '', forTitle);
    const line = title === '' ? start.trimEnd() : `${start}  ${isolateDirection(title)}`;
    return columns === null || title !== '' ? line : fitColumns(line, columns);
  });
}

function toCells(run: RunSummary, { texts, now, owned, steps }: FormatStatusOptions): readonly string[] {
  const { name, state, status, since, uuid, title } = run;
  const shown = texts.states[status ?? (state === 'running' && !owned ? 'waiting' : state)] ?? state;
  const step = steps.get(uuid);
  const age = since === null ? '' : texts.since(formatDuration(now - Date.parse(since)));
  return [
    fitColumns(cleanLine(name), maxNameColumns),
    step === undefined ? shown : `${shown}, ${texts.step(step)}`,
    age,
    uuid.slice(0, 8),
    cleanLine(title ?? ''),
  ];
}
