import {
  type AskedDaemon,
  askDaemon,
  createKnownMcpTools,
  type DaemonView,
  describeProblem,
  filterRuns,
  nameOfRun,
  type RunFilter,
  type RunSummary,
  readServiceState,
  type ServiceProblem,
  type ServiceState,
  toInheritanceJson,
  toRunJson,
  toRunSummaries,
  toServiceJson,
} from '@agent/orchestrator';
import { listPatternFindings } from '@agent/orchestrator/platforms';
import { readRunCosts, toSharedBudgetJson } from '@agent/orchestrator/watch';
import type { Json } from '@agent/run-store';
import { formatTime, type Locale, mapTexts } from '@agent/text';
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
import { formatToday, loadMoney, readToday } from '../shared-budgets.ts';
import type { CliTexts } from '../texts.en.ts';

const maxNameColumns = 48;
const minTitleColumns = 10;
const maxToolColumns = 24;

/** Number of queued tasks that are listed by name. */
const queuedNames = 10;

/** Options and arguments of the command line. */
export interface StatusFlags extends Omit<RunFilter, 'since'> {
  readonly config: string;
  readonly json?: boolean | undefined;
  /** Number of ended runs that are listed. Default 10; with `--json` 1,000. */
  readonly limit?: number | undefined;
  /** Longest time since the last change of the state, in milliseconds. */
  readonly since?: number | undefined;
}

/** Number of ended runs that are listed. */
const recentRuns = 10;

/** Number of ended runs that `--json` counts. */
const countedRuns = 1_000;

/** Number of ended runs that a filter searches. */
const searchedRuns = 10_000;

/** `agent-daemon status`. @returns the exit code */
export async function statusCommand(
  { config, json, limit, since: age, ...given }: StatusFlags,
  io: CommandIo,
): Promise<number> {
  const opened = await openDirectory({ config, needs: ['http'] }, io);
  const { texts, reader, storage, redact } = opened;
  const { http } = opened.loaded.config;
  const filter = { ...given, since: age === undefined ? undefined : io.now() - age };
  const isFiltered = Object.values(filter).some((one) => one !== undefined);
  const most = limit ?? (json === true ? countedRuns : recentRuns);
  const read = Math.max(most, json === true ? countedRuns : 0) + 1;
  const overview = await reader.readOverview({
    recent: isFiltered ? Math.max(searchedRuns, most + 1) : read,
  });
  const matching = filterRuns(toRunSummaries(overview), filter);
  const allEnded = matching.filter(({ state }) => state === 'ended');
  const ended = allEnded.slice(0, most);
  const runs = [...matching.filter(({ state }) => state !== 'ended'), ...ended];
  const service = await readServiceState({ storage, now: io.now() });
  const members = service.processes;
  const daemon = members[0] ?? null;
  const createToken = async () => {
    const { createStatusTokens } = await import('@agent/orchestrator/watch');
    return createStatusTokens(storage.notes, { now: io.now }).create();
  };
  const asked = await askDaemon(members, { http, createToken });
  const money = await loadMoney(config, io);
  const day = money && (await readToday(storage, money, io.now()));
  const requests = asked.view?.requests ?? [];
  const costs = await readRunCosts(
    storage.accounts,
    runs.flatMap(({ state, uuid }) => (state === 'running' || state === 'delivering' ? [uuid] : [])),
  );
  const patterns = await listPatternFindings(storage.notes);
  const changedTools = await createKnownMcpTools(storage.notes).listRefused();
  if (json === true) {
    const inState = (state: string) => runs.filter((run) => run.state === state);
    const counted = { ...overview, recent: overview.recent.slice(0, countedRuns) };
    const shown = {
      daemon: daemon === null ? null : { pid: daemon.pid, host: daemon.host },
      service: toServiceJson(service),
      patterns,
      changed_mcp_tools: changedTools,
      live: toLiveJson(asked),
      budgets: money && day ? [toSharedBudgetJson(day, money.llm)] : null,
      requests: asked.view && requests.map((one) => ({ ...one })),
      running: [...inState('running'), ...inState('delivering')].map((run) =>
        toProgressJson(run, { asked, costs }),
      ),
      paused: [...inState('paused'), ...inState('needs_input')].map(toRunJson),
      in_review: inState('in_review').map(toRunJson),
      recent: ended.map(toRunJson),
      has_more: allEnded.length > ended.length,
      inheritance: toInheritanceJson(counted),
      damaged: overview.damaged.map(({ name, reason }) => ({ name, reason })),
    };
    io.print(JSON.stringify(mapTexts(shown, redact), null, 2));
    return 0;
  }
  const now = io.now();
  const table = formatStatus(runs, { texts, now, columns: io.columns, owned: daemon !== null, asked });
  const lines = [
    daemon === null ? texts.notStarted : formatMembers(members, { texts }),
    ...(isFiltered ? [] : [texts.activity(countActivity(runs, { owned: daemon !== null }))]),
    ...formatQueue(asked, { texts, listens: daemon === null || http.port !== null }),
    ...(money && day ? [formatToday(day, { money, texts })] : []),
    ...requests.map((one) => formatRequests(one, { texts, timeZone: money?.time_zone ?? 'UTC' })),
    ...service.problems.flatMap((one) => formatProblem(one, { texts, now, members, locale: opened.locale })),
    ...changedTools.map((tool) => texts.changedTool(cleanLine(tool))),
    ...patterns.map(({ platform, pattern, found, asked_at: at }) => {
      const age = formatDuration(now - Date.parse(at));
      return cleanLine(`${platform}: ${texts.patternFinds(pattern, found, age)}`);
    }),
    '',
    ...(runs.length === 0 ? [isFiltered ? texts.noneMatch : texts.noRuns] : table),
    ...(allEnded.length > ended.length ? [texts.moreRuns] : []),
    ...overview.damaged.map(({ name, reason }) => texts.damaged(name, reason)),
  ];
  io.print(redact(lines.join('\n')));
  return 0;
}

function formatRequests(
  { platform, left, limit, resets_at: resetsAt }: DaemonView['requests'][number],
  { texts, timeZone }: { readonly texts: CliTexts; readonly timeZone: string },
): string {
  const reset = resetsAt === null ? null : formatTime(new Date(resetsAt), timeZone, { seconds: false });
  return cleanLine(texts.requestsLeft({ platform, left, limit, reset }));
}

/** Counts the unfinished runs. Those that no daemon carries wait for one. */
function countActivity(runs: readonly RunSummary[], { owned }: { readonly owned: boolean }) {
  const count = (state: RunSummary['state']) => runs.filter((run) => run.state === state).length;
  const running = count('running');
  const about = { needsInput: count('needs_input'), paused: count('paused'), inReview: count('in_review') };
  const delivering = count('delivering');
  return { running: owned ? running : 0, waiting: owned ? 0 : running, delivering, ...about };
}

interface FormatProblemOptions {
  readonly texts: CliTexts;
  readonly now: number;
  readonly members: ServiceState['processes'];
  readonly locale: Locale;
}

/** Formats what is wrong and what to do. Names the processes that report it, if others run. */
function formatProblem(
  problem: ServiceProblem,
  { texts, now, members, locale }: FormatProblemOptions,
): readonly string[] {
  const { since, until, reason, processes } = problem;
  const { what, remedy } = describeProblem(problem, locale);
  const reporters =
    processes.length < members.length ? members.filter(({ number }) => processes.includes(number)) : [];
  const facts = [
    ...reporters.map((member) => texts.process(member)),
    ...(since === null ? [] : [texts.lasting(formatDuration(now - since))]),
    ...(until === null ? [] : [texts.expected(formatDuration(until - now))]),
  ];
  return [cleanLine(texts.problem({ what, facts, reason })), `  ${cleanLine(remedy)}`];
}

/** Null with a reason if the daemon could not be asked, unlike an empty queue. */
function toLiveJson(asked: AskedDaemon): Json {
  if (asked.view === null) return { asked: false, reason: asked.unasked, queued: null };
  return { asked: true, reason: null, queued: asked.view.queued };
}

/** A running run with its progress; nulls if that is unknown. */
function toProgressJson(
  run: RunSummary,
  { asked, costs }: { readonly asked: AskedDaemon; readonly costs: ReadonlyMap<string, number> },
): Json {
  const known = asked.view?.running.find(({ uuid }) => uuid === run.uuid);
  const { preparation = null, plan = null, step = null, tool = null, tokens = null } = known ?? {};
  return {
    ...toRunJson(run),
    preparation,
    plan,
    step,
    tool,
    tokens,
    cost_micros: costs.get(run.uuid) ?? known?.cost_micros ?? null,
  };
}

function formatQueue(
  asked: AskedDaemon,
  { texts, listens }: { readonly texts: CliTexts; readonly listens: boolean },
): readonly string[] {
  if (!listens) return [texts.notListening];
  if (asked.view === null) return asked.unasked === null ? [] : [cleanLine(texts.notAsked(asked.unasked))];
  const { queued }: DaemonView = asked.view;
  if (queued.length === 0) return [];
  const names = queued.slice(0, queuedNames).map(({ task }) => nameOfQueued(task));
  return [cleanLine(texts.queued(names, queued.length - names.length))];
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
  return rows.flatMap((row, index) => {
    const start = widths.map((width, index) => padColumns(row[index] ?? '', width)).join('  ');
    const title = forTitle < minTitleColumns ? '' : fitColumns(row[4] ?? '', forTitle);
    const line = title === '' ? start.trimEnd() : `${start}  ${isolateDirection(title)}`;
    const shown = columns === null || title !== '' ? line : fitColumns(line, columns);
    const reason = toReason(runs[index - 1]);
    return reason === null ? [shown] : [shown, columns === null ? reason : fitColumns(reason, columns)];
  });
}

/** Reason of a run that did not succeed; null for another. */
function toReason(run: RunSummary | undefined): string | null {
  const { status = null, reason = null } = run ?? {};
  if (reason === null || (status !== 'failed' && status !== 'partial' && status !== 'stopped')) return null;
  return `  ${isolateDirection(cleanLine(reason))}`;
}

function toCells(run: RunSummary, { texts, now, owned, asked }: FormatStatusOptions): readonly string[] {
  const { name, state, status, since, uuid, title, waitsFor, pausedBy = null, held = 0 } = run;
  const shown = texts.states[status ?? (state === 'running' && !owned ? 'waiting' : state)] ?? state;
  const live = asked.view?.running.find((one) => one.uuid === uuid);
  const age = since === null ? '' : texts.since(formatDuration(now - Date.parse(since)));
  const facts = [
    pausedBy === null ? shown : texts.pausedBy(cleanLine(pausedBy)),
    ...(state === 'delivering' ? [texts.states.delivering ?? state] : []),
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
