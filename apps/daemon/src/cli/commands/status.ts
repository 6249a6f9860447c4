import {
  type AskedDaemon,
  askDaemon,
  createKnownMcpTools,
  type DaemonView,
  filterRuns,
  isOutbox,
  type KeptCondition,
  nameOfRun,
  type RunFilter,
  type RunSummary,
  readConditions,
  toInheritanceJson,
  toRunJson,
  toRunSummaries,
} from '@agent/orchestrator';
import { listPatternFindings } from '@agent/orchestrator/platforms';
import type { Json, StorageMember } from '@agent/run-store';
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
const maxToolColumns = 24;

/** Number of queued tasks that are listed by name. */
const queuedNames = 10;

/** Options and arguments of the command line. */
export interface StatusFlags extends RunFilter {
  readonly config: string;
  readonly json?: boolean | undefined;
}

/** Number of ended runs that are listed. */
const recentRuns = 10;

/** Number of ended runs that `--json` counts. */
const countedRuns = 1_000;

/** Number of ended runs that a filter searches. */
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
  const createToken = async () => {
    const { createStatusTokens } = await import('@agent/orchestrator/watch');
    return createStatusTokens(storage.notes, { now: io.now }).create();
  };
  const asked = await askDaemon(members, { ...opened, createToken });
  const signaled = await storage.pauseSignal.isSet();
  const kept = await readConditions(storage);
  // Pending updates of a run outlive the daemon; every other condition is a state of the daemon.
  const leader = kept.find(({ part }) => part === 'lead')?.member ?? null;
  const patterns = await listPatternFindings(storage.notes);
  const changedTools = await createKnownMcpTools(storage.notes).listRefused();
  const conditions = kept.filter((one) => daemon !== null || isOutbox(one));
  if (json === true) {
    const inState = (state: string) => runs.filter((run) => run.state === state);
    const counted = { ...overview, recent: overview.recent.slice(0, countedRuns) };
    const shown = {
      daemon: daemon === null ? null : { pid: daemon.pid, host: daemon.host },
      members: members.map(({ number, pid, host }) => ({ number, pid, host, leads: number === leader })),
      conditions: conditions.map((one) => ({ ...one, since: new Date(one.since).toISOString() })),
      patterns,
      changed_mcp_tools: changedTools,
      pause_signal: signaled,
      live: toLiveJson(asked),
      running: inState('running').map((run) => toProgressJson(run, asked)),
      paused: inState('paused').map(toRunJson),
      in_review: inState('in_review').map(toRunJson),
      recent: inState('ended').map(toRunJson),
      inheritance: toInheritanceJson(counted),
      damaged: overview.damaged.map(({ name, reason }) => ({ name, reason })),
    };
    io.print(JSON.stringify(mapTexts(shown, redact), null, 2));
    return 0;
  }
  const now = io.now();
  const table = formatStatus(runs, { texts, now, columns: io.columns, owned: daemon !== null, asked });
  const problems = conditions.filter(({ state }) => state !== 'ok');
  const lines = [
    daemon === null ? texts.notStarted : formatMembers(members, { texts, leader }),
    ...(signaled ? [texts.signaled(storage.pauseSignal.location)] : []),
    ...(isFiltered ? [] : [texts.activity(countActivity(runs, { owned: daemon !== null }))]),
    ...formatQueue(asked, { texts, listens: daemon === null || opened.http.port !== null }),
    ...problems.map((one) => formatProblem(one, { texts, now, members })),
    ...changedTools.map((tool) => texts.changedTool(cleanLine(tool))),
    ...patterns.map(({ platform, pattern, found, asked_at: at }) => {
      const age = formatDuration(now - Date.parse(at));
      return cleanLine(`${platform}: ${texts.patternFinds(pattern, found, age)}`);
    }),
    '',
    ...(runs.length === 0 ? [isFiltered ? texts.noneMatch : texts.noRuns] : table),
    ...overview.damaged.map(({ name, reason }) => texts.damaged(name, reason)),
  ];
  io.print(redact(lines.join('\n')));
  return 0;
}

/** Counts the unfinished runs. Those that no daemon carries wait for one. */
function countActivity(runs: readonly RunSummary[], { owned }: { readonly owned: boolean }) {
  const count = (state: RunSummary['state']) => runs.filter((run) => run.state === state).length;
  const [running, paused, inReview] = [count('running'), count('paused'), count('in_review')];
  return { running: owned ? running : 0, waiting: owned ? 0 : running, paused, inReview };
}

interface FormatProblemOptions {
  readonly texts: CliTexts;
  readonly now: number;
  readonly members: readonly StorageMember[];
}

/** Names the process as well if several are running. */
function formatProblem(
  { part, since, reason, member: number }: KeptCondition,
  { texts, now, members }: FormatProblemOptions,
): string {
  const [, kind = '', name = ''] = /^(\w+):(.*)$/s.exec(part) ?? [];
  const member = members.length > 1 ? (members.find((one) => one.number === number) ?? null) : null;
  const duration = formatDuration(now - since);
  return cleanLine(
    texts.problem({ part: texts.parts[kind]?.(name) ?? part, reason: reason ?? '', duration, member }),
  );
}

/** Null with a reason if the daemon could not be asked, unlike an empty queue. */
function toLiveJson(asked: AskedDaemon): Json {
  if (asked.view === null) return { asked: false, reason: asked.unasked, queued: null, held_back: null };
  const { queued, held_back } = asked.view;
  return { asked: true, reason: null, queued, held_back };
}

/** A running run with its progress; nulls if that is unknown. */
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

function formatQueue(
  asked: AskedDaemon,
  { texts, listens }: { readonly texts: CliTexts; readonly listens: boolean },
): readonly string[] {
  if (!listens) return [texts.notListening];
  if (asked.view === null) return asked.unasked === null ? [] : [cleanLine(texts.notAsked(asked.unasked))];
  const { queued, held_back: hold }: DaemonView = asked.view;
  if (queued.length === 0) return [];
  const names = queued.slice(0, queuedNames).map(({ task }) => nameOfQueued(task));
  return [
    cleanLine(texts.queued(names, queued.length - names.length)),
    ...(hold === null ? [] : [cleanLine(texts.heldBack(hold.reason, formatDuration(hold.seconds * 1_000)))]),
  ];
}

/** `github.com github_issue:acme:shop:42` is `acme/shop#42`. */
function nameOfQueued(task: string): string {
  return nameOfRun({ taskKeyText: task.slice(task.indexOf(' ') + 1), url: null });
}

interface FormatStatusOptions {
  readonly texts: CliTexts;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** True if a daemon is running; otherwise unfinished runs wait for one. */
  readonly owned: boolean;
  /** Columns of the terminal; null for no limit. */
  readonly columns: number | null;
  readonly asked: AskedDaemon;
}

/** Formats a table of runs: name, state, age, start of the uuid, title. The title gets the remaining width. */
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

function toCells(run: RunSummary, { texts, now, owned, asked }: FormatStatusOptions): readonly string[] {
  const { name, state, status, since, uuid, title, waitsFor, held = 0 } = run;
  const shown = texts.states[status ?? (state === 'running' && !owned ? 'waiting' : state)] ?? state;
  const live = asked.view?.running.find((one) => one.uuid === uuid);
  const age = since === null ? '' : texts.since(formatDuration(now - Date.parse(since)));
  const facts = [
    shown,
    ...(live === undefined ? [] : [texts.step(live.step)]),
    ...(live?.tool ? [fitColumns(cleanLine(live.tool), maxToolColumns)] : []),
    ...(held > 0 ? [texts.heldChanges(held)] : []),
    ...(held === 0 && waitsFor && waitsFor !== 'follow-up' ? [texts.waitsFor[waitsFor]] : []),
  ];
  return [
    fitColumns(cleanLine(name), maxNameColumns),
    facts.join(', '),
    age,
    uuid.slice(0, 8),
    cleanLine(title ?? ''),
  ];
}
