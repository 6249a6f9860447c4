import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { World } from '../support/world.ts';

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g;

/** What the daemon leaves on its machine in the end, without what differs from run to run. */
export interface MachineState {
  readonly contexts: readonly string[];
  readonly workspaces: readonly string[];
  readonly temporary: readonly string[];
  readonly runs: readonly RunState[];
  /** Lines of the list of recent runs. */
  readonly listed: number;
  /** How often the index has each of the runs that are in `completed/`. */
  readonly indexed: readonly number[];
  /** Runs in the index that are nowhere else. */
  readonly strange: number;
  readonly processes: readonly string[];
}

/** One run in `completed/`. */
export interface RunState {
  readonly status: string;
  /** Whether its journal has no hole. */
  readonly isNumbered: boolean;
  /** Whether every call has its one result. */
  readonly isPaired: boolean;
  /** Who spoke last. */
  readonly last: string | undefined;
  /** How many final summaries it has that stand for all of it. */
  readonly summaries: number;
}

export async function readMachineState(world: World): Promise<MachineState> {
  const at = (name: string): string => join(world.directory, name);
  const runs = await readdir(join(at('contexts'), 'completed')).catch(ignoreMissing);
  return {
    contexts: await listContexts(at('contexts')),
    workspaces: (await listFiles(at('workspaces'))).map(withoutIds).sort(),
    temporary: await listFiles(at('tmp')),
    runs: await Promise.all(runs.map((uuid) => readRun(join(at('contexts'), 'completed', uuid)))),
    ...(await compareIndex(at('contexts'), runs)),
    listed: await countLines(join(at('contexts'), 'recent.jsonl')),
    processes: await findProcesses(world.directory),
  };
}

/** Where the index makes its files: each start removes it. */
const tracesOfIndex = /^index\/making$/;
/** Time from which a process looks for comments on ended threads; its name holds the port of the platform. */
const tracesOfLooks = /^conversations-since\//;
/** Directories that the first pause makes, and what a run keeps of having been paused. */
const tracesOfPauses = /^(control|paused)$|^completed\/[^/]+\/task_state\.json$/;

/** Without what only says that the daemon was killed or paused, such as counts of crashes. */
async function listContexts(root: string): Promise<readonly string[]> {
  const names = await listFiles(root);
  const isTrace = (name: string): boolean =>
    name.endsWith('pre_planning_crashes.json') ||
    [tracesOfPauses, tracesOfIndex, tracesOfLooks].some((trace) => trace.test(name));
  return names
    .filter((name) => !isTrace(name))
    .map(withoutIds)
    .sort();
}

/** What the index says of the runs that ended. */
async function compareIndex(
  contexts: string,
  runs: readonly string[],
): Promise<Pick<MachineState, 'indexed' | 'strange'>> {
  const names = (await listFiles(join(contexts, 'index'))).filter((name) =>
    /\/[0-9a-f]{64}\.json$/.test(name),
  );
  const texts = await Promise.all(names.map((name) => readFile(join(contexts, 'index', name), 'utf8')));
  const found = texts.flatMap((text) => (JSON.parse(text) as { runs: { uuid: string }[] }).runs);
  return {
    indexed: runs.map((run) => found.filter(({ uuid }) => uuid === run).length),
    strange: found.filter(({ uuid }) => !runs.includes(uuid)).length,
  };
}

async function countLines(path: string): Promise<number> {
  return (await readFile(path, 'utf8').catch(() => '')).split('\n').length - 1;
}

function withoutIds(path: string): string {
  return path
    .replace(uuids, '<uuid>')
    .replace(/^127\.0\.0\.1_\d+/, '<host>')
    .replace(/\d{4}-\d\d-\d\d(?=\.jsonl$)/, '<day>');
}

/** Paths below a directory; git's objects are left out, as are refs and their logs. */
async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(ignoreMissing);
  const paths = entries.map((entry) => relative(root, join(entry.parentPath, entry.name)));
  return paths.filter((path) => !/\.git\/(objects|logs|refs)\/./.test(path)).sort();
}

function ignoreMissing(error: unknown): [] {
  if ((error as { code?: unknown }).code === 'ENOENT') return [];
  throw error;
}

interface JournalLine {
  readonly seq: number;
  readonly message: { readonly role: string; readonly content: string | readonly JournalPart[] };
}
interface JournalPart {
  readonly type: string;
}

async function readRun(directory: string): Promise<RunState> {
  const outcome = JSON.parse(await readFile(join(directory, 'outcome.json'), 'utf8')) as { status: string };
  const text = await readFile(join(directory, 'messages.jsonl'), 'utf8');
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('{"seq":'))
    .map((line) => JSON.parse(line) as JournalLine);
  const summaries = (await readFile(join(directory, 'summaries.jsonl'), 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { final?: boolean; end_seq: number });
  const parts = lines.flatMap(({ message }) => (typeof message.content === 'string' ? [] : message.content));
  const countOf = (type: string): number => parts.filter((part) => part.type === type).length;
  return {
    status: outcome.status,
    isNumbered: lines.every(({ seq }, index) => seq === index + 1),
    isPaired: countOf('tool-call') === countOf('tool-result'),
    last: lines.at(-1)?.message.role,
    summaries: summaries.filter(({ final, end_seq }) => final && end_seq === lines.length).length,
  };
}

/** Processes that know of the directory, once they have had a moment to end. */
async function findProcesses(directory: string): Promise<string[]> {
  for (let round = 0; ; round += 1) {
    const found = await listProcesses(directory);
    if (found.length === 0 || round === 20) return found;
    await delay(100);
  }
}

async function listProcesses(directory: string): Promise<string[]> {
  const ids = (await readdir('/proc').catch(ignoreMissing)).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async (id) => {
      const read = (name: string): Promise<string> => readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '');
      const command = await read('cmdline');
      return `${command}${await read('environ')}`.includes(directory) ? [command.replaceAll('\0', ' ')] : [];
    }),
  );
  return found.flat();
}
