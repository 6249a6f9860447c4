import type { RunMetadata } from '@agent/context-inheritance';
import { redactJson } from '../http/redact-json.ts';
import { parseLineage, type RunLineage } from '../inheritance/run-lineage.ts';
import { cleanLine } from '../text/clean-text.ts';
import { columnsOf, fitColumns, padColumns } from '../text/fit-columns.ts';
import type { CommandIo } from './command-io.ts';
import { findThread, type NamedThread } from './find-thread.ts';
import { listUnfinished } from './list-unfinished.ts';
import { type OpenedDirectory, openDirectory } from './open-directory.ts';
import { type PastTexts, pastTexts } from './past-texts.ts';

/** What the command line says. */
export interface HistoryFlags {
  readonly config: string;
  readonly json?: boolean | undefined;
  readonly task: string;
}

interface PastRun {
  readonly uuid: string;
  readonly status: string;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly lineage: RunLineage;
  readonly summary: string | null;
}

/**
 * `agent-daemon history`: the runs of one thread, newest first, what each took over, and what it left.
 *
 * @returns the exit code
 * @throws CommandError when the thread is unknown or ambiguous
 */
export async function historyCommand(flags: HistoryFlags, io: CommandIo): Promise<number> {
  const directory = await openDirectory(flags.config, io);
  const thread = await findThread(directory, flags.task);
  const runs = await listRuns(directory, thread);
  const texts = pastTexts[directory.locale];
  if (flags.json === true) {
    const json = { task: thread.taskKeyText, host: thread.host, runs: runs.map(toJson) };
    io.print(JSON.stringify(redactJson(json, directory.redact), null, 2));
    return 0;
  }
  const { columns } = io;
  const text = runs.length === 0 ? texts.none(thread.name) : formatTable(runs, { directory, texts, columns });
  io.print(directory.redact(text));
  return 0;
}

async function listRuns(directory: OpenedDirectory, thread: NamedThread): Promise<readonly PastRun[]> {
  const unfinished = (await listUnfinished(directory, thread)).map(({ metadata, state }) =>
    toPastRun(metadata, { status: state, completedAt: null, summary: null }),
  );
  const ended: PastRun[] = [];
  for (const { uuid, status, completedAt, summary } of await directory.listHistory(thread)) {
    const { metadata } = await directory.reader.readRun(uuid);
    ended.push(toPastRun(metadata, { status, completedAt, summary }));
  }
  return [...unfinished, ...ended];
}

function toPastRun(metadata: RunMetadata, end: Pick<PastRun, 'status' | 'completedAt' | 'summary'>): PastRun {
  return { uuid: metadata.uuid, createdAt: metadata.createdAt, lineage: parseLineage(metadata), ...end };
}

function toJson({ uuid, status, createdAt, completedAt, lineage, summary }: PastRun) {
  return {
    uuid,
    status,
    created_at: createdAt,
    completed_at: completedAt,
    inherited_from_uuid: lineage.fromUuid,
    inheritance_depth: lineage.depth,
    inherited_tokens: lineage.tokens,
    inheritance_refusal: lineage.refusal,
    summary,
  };
}

function formatTable(
  runs: readonly PastRun[],
  options: {
    readonly directory: OpenedDirectory;
    readonly texts: PastTexts;
    readonly columns: number | null;
  },
): string {
  const { directory, texts, columns } = options;
  const states = directory.texts.states;
  const rows = runs.map(({ uuid, status, completedAt, lineage, summary }) => [
    completedAt?.slice(0, 16).replace('T', ' ') ?? texts.unfinished,
    states[status] ?? status,
    uuid.slice(0, 8),
    String(lineage.depth),
    describeLineage(lineage, texts),
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

function describeLineage({ fromUuid, tokens, refusal }: RunLineage, texts: PastTexts): string {
  if (refusal !== null) return texts.refused(refusal);
  return fromUuid === null ? '-' : `#${fromUuid.slice(0, 8)}, ${texts.tokens(tokens)}`;
}
