import { listUnfinished, parseLineage, type RunLineage } from '@agent/orchestrator';
import type { RunMetadata } from '@agent/run-store';
import { mapTexts } from '@agent/text';
import { cleanLine, columnsOf, fitColumns, padColumns } from '../../text/terminal-text.ts';
import type { CommandIo } from '../command-io.ts';
import { findQueued, findThread, type NamedThread } from '../find-thread.ts';
import { type OpenedDirectory, openDirectory } from '../open-directory.ts';
import { printQueued } from '../read-queue.ts';
import type { CliTexts } from '../texts.en.ts';

/** Options and arguments of the command line. */
export interface HistoryFlags {
  readonly config: string;
  readonly json?: boolean | undefined;
  readonly task: string;
}

interface PastRun {
  readonly uuid: string;
  readonly status: string;
  /** Null like the lineage for a run whose directory is gone or damaged: the index has the rest. */
  readonly createdAt: string | null;
  readonly completedAt: string | null;
  readonly depth: number;
  readonly lineage: RunLineage | null;
  readonly summary: string | null;
}

/**
 * `agent-daemon history`: the runs of one thread, newest first, what each inherited, and what it left.
 *
 * @returns the exit code
 * @throws CommandError when the thread is unknown or ambiguous
 */
export async function historyCommand(flags: HistoryFlags, io: CommandIo): Promise<number> {
  const directory = await openDirectory({ config: flags.config, needs: ['platforms'] }, io);
  const queued = await findQueued(directory, { given: flags.task, config: flags.config, io });
  if (queued !== null) return printQueued(queued, { directory, io, json: flags.json });
  const thread = await findThread(directory, flags.task);
  const runs = await listRuns(directory, { thread, io });
  const texts = directory.texts.past;
  if (flags.json === true) {
    const json = { task: thread.taskKeyText, host: thread.host, runs: runs.map(toJson) };
    io.print(JSON.stringify(mapTexts(json, directory.redact), null, 2));
    return 0;
  }
  const { columns } = io;
  const text = runs.length === 0 ? texts.none(thread.name) : formatTable(runs, { directory, texts, columns });
  io.print(directory.redact(text));
  return 0;
}

async function listRuns(
  directory: OpenedDirectory,
  { thread, io }: { readonly thread: NamedThread; readonly io: CommandIo },
): Promise<readonly PastRun[]> {
  const unfinished = (await listUnfinished(directory.reader, thread)).map(({ metadata, state }) => ({
    ...describe(metadata),
    ...{ uuid: metadata.uuid, status: state, depth: metadata.inheritanceDepth },
    ...{ completedAt: null, summary: null },
  }));
  const ended: PastRun[] = [];
  for (const { inheritanceDepth: depth, ...item } of await directory.listHistory(thread)) {
    ended.push({ ...item, depth, ...(await describeEnded(directory, { uuid: item.uuid, io })) });
  }
  return [...unfinished, ...ended];
}

function describe(metadata: RunMetadata) {
  return { createdAt: metadata.createdAt, lineage: parseLineage(metadata) };
}

/** One run that cannot be read must not hide the others. */
async function describeEnded(
  { reader, texts, redact }: OpenedDirectory,
  { uuid, io }: { readonly uuid: string; readonly io: CommandIo },
): Promise<Pick<PastRun, 'createdAt' | 'lineage'>> {
  try {
    return describe((await reader.readRun(uuid)).metadata);
  } catch (error) {
    io.warn(redact(texts.damaged(uuid.slice(0, 8), cleanLine((error as Error).message))));
    return { createdAt: null, lineage: null };
  }
}

function toJson({ uuid, status, createdAt, completedAt, depth, lineage, summary }: PastRun) {
  return {
    uuid,
    status,
    created_at: createdAt,
    completed_at: completedAt,
    inherited_from_uuid: lineage?.fromUuid ?? null,
    inheritance_depth: depth,
    inherited_tokens: lineage?.tokens ?? null,
    inheritance_refusal: lineage?.refusal ?? null,
    summary,
  };
}

function formatTable(
  runs: readonly PastRun[],
  options: {
    readonly directory: OpenedDirectory;
    readonly texts: CliTexts['past'];
    readonly columns: number | null;
  },
): string {
  const { directory, texts, columns } = options;
  const states = directory.texts.states;
  const rows = runs.map(({ uuid, status, completedAt, depth, lineage, summary }) => [
    completedAt?.slice(0, 16).replace('T', ' ') ?? texts.unfinished,
    states[status] ?? status,
    uuid.slice(0, 8),
    String(depth),
    lineage === null ? '?' : describeLineage(lineage, texts),
    cleanLine(summary ?? (completedAt === null ? '' : texts.noSummary)),
  ]);
  const table = [[...texts.headings], ...rows];
  const widths = texts.headings.map((_, index) =>
    Math.max(...table.map((row) => columnsOf(row[index] ?? ''))),
  );
  return table
    .map((row) =>
      row.map((cell, index) => padColumns(cell, index === 5 ? 0 : (widths[index] ?? 0))).join('  '),
    )
    .map((line) => fitColumns(line.trimEnd(), columns ?? 200))
    .join('\n');
}

function describeLineage({ fromUuid, tokens, refusal }: RunLineage, texts: CliTexts['past']): string {
  if (refusal !== null) return texts.refused(refusal);
  return fromUuid === null ? '-' : `#${fromUuid.slice(0, 8)}, ${texts.tokens(tokens)}`;
}
