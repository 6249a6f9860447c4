import {
  type AskedDaemon,
  createKnownMcpTools,
  type DaemonView,
  filterRuns,
  type RunFilter,
  readServiceState,
  type TaskSummary,
  toInheritanceJson,
  toRunJson,
  toRunSummaries,
  toServiceJson,
  withQueue,
} from '@agent/orchestrator';
import { listPatternFindings } from '@agent/orchestrator/platforms';
import { readRunCosts, toSharedBudgetJson } from '@agent/orchestrator/watch';
import type { Json } from '@agent/run-store';
import { formatTime, mapTexts } from '@agent/text';
import {
  cleanLine,
  columnsOf,
  fitColumns,
  formatDuration,
  isolateDirection,
  padColumns,
} from '../../text/terminal-text.ts';
import type { CommandIo } from '../command-io.ts';
import { formatNotices, formatProblem } from '../format-problem.ts';
import { formatMembers, openDirectory } from '../open-directory.ts';
import { askForQueue } from '../read-queue.ts';
import { formatToday, loadMoney, readToday } from '../shared-budgets.ts';
import type { CliTexts } from '../texts.en.ts';

const maxNameColumns = 48;
const minTitleColumns = 10;
const maxToolColumns = 24;

/** Options and arguments of the command line. */
export interface StatusFlags extends Omit<RunFilter, 'since'> {
  readonly config: string;
  readonly json?: boolean | undefined;
  /** Number of ended runs that are listed. Default 10; with `--json` 1,000. */
  readonly limit?: number | undefined;
  /** Longest time since the last change of the state, in milliseconds. */
  readonly since?: number | undefined;
}

const dayMs = 86_400_000;

/** Number of ended runs that are listed. */
const recentRuns = 10;

/** Number of ended runs that are counted. */
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
  const read = Math.max(most, countedRuns) + 1;
  const overview = await reader.readOverview({
    recent: isFiltered ? Math.max(searchedRuns, most + 1) : read,
  });
  const service = await readServiceState({ storage, now: io.now() });
  const members = service.processes;
  const daemon = members[0] ?? null;
  const asked = await askForQueue(storage, { http, now: io.now() });
  const words = { service, locale: opened.locale };
  const all = withQueue(toRunSummaries(overview), asked.view?.queued ?? [], words);
  const matching = filterRuns(all, filter);
  const allEnded = matching.filter(({ state }) => state === 'ended');
  const ended = allEnded.slice(0, most);
  const runs = [...matching.filter(({ state }) => state !== 'ended'), ...ended];
  const money = await loadMoney(config, io);
  const day = money && (await readToday(storage, money, io.now()));
  const requests = asked.view?.requests ?? [];
  const costs = await readRunCosts(
    storage.accounts,
    runs.flatMap(({ state, uuid }) =>
      uuid !== null && (state === 'running' || state === 'delivering') ? [uuid] : [],
    ),
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
      live: toLiveJson(asked, inState('queued').map(toRunJson)),
      budgets: money && day ? [toSharedBudgetJson(day, money.llm)] : null,
      requests: asked.view && requests.map((one) => ({ ...one })),
      searches: asked.view && asked.view.searches.map((one) => ({ ...one })),
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
    ...(isFiltered ? [] : [texts.activity(countActivity(all, { owned: daemon !== null, now }))]),
    ...formatQueue(asked, { texts, listens: daemon === null || http.port !== null }),
    ...(money && day ? [formatToday(day, { money, texts })] : []),
    ...formatSearches(asked, { texts, now }),
    ...requests.map((one) => formatRequests(one, { texts, timeZone: money?.time_zone ?? 'UTC' })),
    ...service.problems.flatMap((one) => formatProblem(one, { texts, now, members, locale: opened.locale })),
    ...formatNotices(service, opened),
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

/** The search that is longest ago, of those that each repository answered last. */
function formatSearches(
  { view }: AskedDaemon,
  { texts, now }: { readonly texts: CliTexts; readonly now: number },
): readonly string[] {
  const [oldest, ...others] = (view?.searches ?? []).toSorted(
    (one, other) => Date.parse(one.at) - Date.parse(other.at),
  );
  if (oldest === undefined) return [];
  const age = formatDuration(now - Date.parse(oldest.at));
  return [cleanLine(texts.lastSearch({ age, repository: oldest.repository, others: others.length }))];
}

function formatRequests(
  { platform, left, limit, resets_at: resetsAt }: DaemonView['requests'][number],
  { texts, timeZone }: { readonly texts: CliTexts; readonly timeZone: string },
): string {
  const reset = resetsAt === null ? null : formatTime(new Date(resetsAt), timeZone, { seconds: false });
  return cleanLine(texts.requestsLeft({ platform, left, limit, reset }));
}

/** Counts the unfinished runs. Those that no daemon carries wait for one. */
function countActivity(
  runs: readonly TaskSummary[],
  { owned, now }: { readonly owned: boolean; readonly now: number },
) {
  const count = (state: TaskSummary['state']) => runs.filter((run) => run.state === state).length;
  const running = count('running');
  const about = { needsInput: count('needs_input'), paused: count('paused'), inReview: count('in_review') };
  const delivering = count('delivering');
  const queued = count('queued');
  const failed = runs.filter(
    ({ status, since }) => status === 'failed' && since !== null && Date.parse(since) >= now - dayMs,
  ).length;
  return { running: owned ? running : 0, waiting: owned ? 0 : running, delivering, queued, failed, ...about };
}

/** Null with a reason if the daemon could not be asked, unlike an empty queue. */
function toLiveJson(asked: AskedDaemon, queued: readonly Json[]): Json {
  if (asked.view === null) return { asked: false, reason: asked.unasked, queued: null };
  return { asked: true, reason: null, queued };
}

/** A running run with its progress; nulls if that is unknown. */
function toProgressJson(
  run: TaskSummary,
  { asked, costs }: { readonly asked: AskedDaemon; readonly costs: ReadonlyMap<string, number> },
): Json {
  const known = asked.view?.running.find(({ uuid }) => uuid === run.uuid);
  const { preparation = null, plan = null, step = null, tool = null, tokens = null } = known ?? {};
  const { asking = null, asking_since = null, attempt = null, tool_since = null } = known ?? {};
  return {
    ...toRunJson(run),
    preparation,
    plan,
    step,
    ...{ asking, asking_since, attempt, tool, tool_since },
    tokens,
    cost_micros: costs.get(run.uuid ?? '') ?? known?.cost_micros ?? null,
  };
}

function formatQueue(
  asked: AskedDaemon,
  { texts, listens }: { readonly texts: CliTexts; readonly listens: boolean },
): readonly string[] {
  if (!listens) return [texts.notListening];
  if (asked.view !== null || asked.unasked === null) return [];
  return [cleanLine(texts.notAsked(asked.unasked))];
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
function formatStatus(runs: readonly TaskSummary[], options: FormatStatusOptions): readonly string[] {
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
    const reason = toReason(runs[index - 1], texts);
    return reason === null ? [shown] : [shown, columns === null ? reason : fitColumns(reason, columns)];
  });
}

/** Reason of a run that did not succeed or of a queued task, or how held changes are allowed; null for another. */
function toReason(run: TaskSummary | undefined, texts: CliTexts): string | null {
  const { state, status = null, reason = null, heldNames = [] } = run ?? {};
  if (heldNames.length > 0) return `  ${cleanLine(texts.allowHeld(heldNames))}`;
  const isShown = state === 'queued' || status === 'failed' || status === 'partial' || status === 'stopped';
  if (reason === null || !isShown) return null;
  return `  ${isolateDirection(cleanLine(reason))}`;
}

/** Tool, model call or agent turn that is under way, and how long it has taken. */
function formatActivity(
  live: DaemonView['running'][number] | undefined,
  { texts, now }: Pick<FormatStatusOptions, 'texts' | 'now'>,
): readonly string[] {
  const { tool = null, tool_since: toolSince, asking = null, asking_since: askingSince } = live ?? {};
  const took = (since: string | null | undefined) =>
    since == null ? [] : [formatDuration(now - Date.parse(since))];
  if (tool !== null) return [fitColumns(cleanLine(tool), maxToolColumns), ...took(toolSince)];
  const again = live !== undefined && live.attempt > 1 ? [texts.attempt(live.attempt)] : [];
  return asking === null ? [] : [texts.asking[asking], ...again, ...took(askingSince)];
}

function toCells(run: TaskSummary, { texts, now, owned, asked }: FormatStatusOptions): readonly string[] {
  const { name, state, status, since, uuid, title, waitsFor, pausedBy = null, held = 0 } = run;
  const { position = null } = run;
  const shown = texts.states[status ?? (state === 'running' && !owned ? 'waiting' : state)] ?? state;
  const live = asked.view?.running.find((one) => one.uuid === uuid);
  const age = since === null ? '' : texts.since(formatDuration(now - Date.parse(since)));
  const facts = [
    pausedBy === null ? shown : texts.pausedBy(cleanLine(pausedBy)),
    ...(position === null ? [] : [texts.position(position)]),
    ...(state === 'delivering' ? [texts.states.delivering ?? state] : []),
    ...(live === undefined || live.step === 0 ? [] : [texts.step(live.step)]),
    ...formatActivity(live, { texts, now }),
    ...(held > 0 ? [texts.heldChanges(held)] : []),
    ...(held === 0 && waitsFor && waitsFor !== 'follow-up' ? [texts.waitsFor[waitsFor]] : []),
  ];
  return [
    fitColumns(cleanLine(name), maxNameColumns),
    facts.join(', '),
    age,
    uuid?.slice(0, 8) ?? '',
    cleanLine(title ?? ''),
  ];
}
