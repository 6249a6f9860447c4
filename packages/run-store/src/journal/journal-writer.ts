import { basename } from 'node:path';
import type { Logger } from '@agent/text';
import { createOpenFiles } from '../disk/open-files.ts';
import { toOutcome } from '../file/run-documents.ts';
import type {
  FactEvent,
  JournalEvent,
  Json,
  MessageEvent,
  MessageLike,
  RunEnd,
  RunSummary,
  ToolFinishedEvent,
  ToolStartedEvent,
} from '../journal-model.ts';
import type { JournalFiles } from '../places.ts';
import { planningFact, toPlanningFileLine } from '../planning/planning-line.ts';
import type { NewIntent, RecordOwner } from '../ports.ts';
import { intentFacts } from '../record/outbox-ledger.ts';
import { parseFact } from '../record/read-record.ts';
import { formatFact, sliceProjectedLine } from '../record/record-line.ts';
import { createRecordWriter } from '../record/record-writer.ts';
import type { NewFinalSummary } from '../run-model.ts';
import { toLines } from './context-lines.ts';
import { formatMessage, toContextLine } from './message-line.ts';
import { createProjection, type Projection, writeDocuments } from './projection.ts';
import type { LoadedRecord, ProjectedFiles } from './record-reading.ts';
import { type SummaryPlace, toFinalSummaryLine, toSummaryLine } from './summary-line.ts';
import { toToolLine } from './tool-line.ts';

/** Options of a journal in files. */
export interface FileRunJournalOptions<Message> {
  /** Checks a message that comes back from disk; throws for one that is none. */
  readonly parseMessage: (json: unknown) => Message;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  readonly logger?: Logger | null | undefined;
  /** Owner of the directory: its number stands in each line. Default none. */
  readonly owner?: RecordOwner | null | undefined;
  /** Called after each write that reached the disk, before the caller hears of it. Tests stop a process here. */
  readonly afterSync?: ((write: SyncedWrite) => void) | undefined;
}

/** Which file of which run reached the disk. */
export interface SyncedWrite {
  readonly uuid: string;
  readonly file: string;
}

/** One for the process, whose files they are: bounded however many runs are at work or were given up. */
const openFiles = createOpenFiles({ maxOpen: 64 });

interface WriterOptions<Message> {
  readonly files: JournalFiles;
  readonly loaded: LoadedRecord<Message>;
  readonly options: FileRunJournalOptions<Message>;
}

export function createWriter<Message extends MessageLike>({
  files,
  loaded,
  options,
}: WriterOptions<Message>) {
  const { now = Date.now, afterSync, logger = null, owner = null } = options;
  const { facts, end } = loaded;
  const record = createRecordWriter(files.messages, {
    ...{ end, files: openFiles, owner: owner?.number ?? null },
    onAppended: afterSync && (() => synced(files.messages)),
  });
  const projections = [files.current, files.tools, files.summaries, files.planning].map((path) =>
    createProjection(path, { files: openFiles, logger, isRare: path === files.planning }),
  );
  const [current, tools, summaries, planning] = projections as [
    Projection,
    Projection,
    Projection,
    Projection,
  ];
  const timestamp = () => new Date(now()).toISOString();
  const synced = (path: string) => afterSync?.({ uuid: basename(files.directory), file: basename(path) });

  async function appendFact(fact: NewFact): Promise<string> {
    const dated = { timestamp: timestamp(), ...fact };
    const body = formatFact(dated);
    await record.append(body);
    loaded.applyFact({ type: 'fact', ...dated });
    return body;
  }

  async function settle(): Promise<void> {
    loaded.kept = null;
    await Promise.all(projections.map(({ flush }) => flush()));
    const { messages, ...beside } = files;
    await openFiles.close([messages, beside.tools, beside.summaries, beside.current, beside.planning]);
  }

  async function appendMessage(event: MessageEvent<Message>): Promise<number> {
    const seq = loaded.lastSeq + 1;
    const { body, contextLine, tokens } = formatMessage(event, { seq, timestamp: timestamp() });
    await record.append(body);
    loaded.lastSeq = seq;
    // Whoever replays the run has done so.
    loaded.kept = null;
    loaded.tokens.set(seq, tokens);
    if (current.add(contextLine)) await current.flush();
    return seq;
  }

  async function appendSummary(summary: NewSummaryFact): Promise<void> {
    const id = loaded.summaries + 1;
    const place = { id, afterSeq: loaded.lastSeq, originalTokens: sumTokens(loaded.tokens, summary.range) };
    const data = summary.toLine(place) as Json;
    const body = await appendFact({ name: 'summary', data, ...summary.dated });
    loaded.summaries = id;
    if (summaries.add(sliceProjectedLine(body))) await summaries.flush();
  }

  async function appendCallersFact({ name, data }: FactEvent): Promise<number> {
    const body = await appendFact({ name, data });
    if (name === planningFact && planning.add(toPlanningFileLine(parseFact(body), facts.metadata)))
      await planning.flush();
    return record.position().line;
  }

  async function appendToolEvent(event: ToolStartedEvent | ToolFinishedEvent): Promise<number> {
    const seq = loaded.toolLines + 1;
    const body = await appendFact({ name: event.type, data: toToolLine(event, seq) as Json });
    loaded.toolLines = seq;
    if (tools.add(sliceProjectedLine(body))) await tools.flush();
    return seq;
  }

  return {
    position: record.position,
    appendFact,
    /** Writes the files that say again what the record says, where they say something else. */
    async project(projected: ProjectedFiles): Promise<void> {
      await Promise.all([
        current.replace(projected.current),
        tools.replace(projected.tools),
        summaries.replace(projected.summaries),
        planning.replace(projected.planning),
        writeDocuments(files, { facts, logger }),
      ]);
    },
    append(event: JournalEvent<Message>): Promise<number> {
      if (event.type === 'message') return appendMessage(event);
      return event.type === 'fact' ? appendCallersFact(event) : appendToolEvent(event);
    },
    async replaceContext(messages: readonly Message[], summary: RunSummary): Promise<void> {
      await appendSummary({ range: summary, toLine: (place) => toSummaryLine(summary, place) });
      await current.replace(toLines(messages.map(toContextLine)));
    },
    async appendFinalSummary(summary: NewFinalSummary, at: string): Promise<void> {
      const range = { startSeq: 1, endSeq: loaded.lastSeq };
      const toLine = (place: SummaryPlace) => toFinalSummaryLine(summary, place);
      await appendSummary({ range, toLine, dated: { timestamp: at } });
      await summaries.flush();
    },
    settle,
    async finish(end: RunEnd, intents: readonly NewIntent[]): Promise<void> {
      const outcome = toOutcome(end, timestamp());
      const data = { outcome, intents } as unknown as Json;
      await appendFact({ name: intentFacts.ended, data, timestamp: outcome.finished_at });
      await settle();
      await writeDocuments(files, { facts, logger });
      synced(files.outcome);
    },
  };
}

/** A fact to be written, now unless it says when. */
export interface NewFact {
  readonly name: string;
  readonly data: Json;
  /** ISO 8601, UTC. */
  readonly timestamp?: string;
}

interface NewSummaryFact {
  readonly range: SummaryRange;
  readonly toLine: (place: SummaryPlace) => object;
  readonly dated?: { readonly timestamp: string };
}

type SummaryRange = Pick<RunSummary, 'startSeq' | 'endSeq'>;

function sumTokens(tokens: ReadonlyMap<number, number>, range: SummaryRange): number {
  let sum = 0;
  for (let seq = range.startSeq; seq <= range.endSeq; seq += 1) sum += tokens.get(seq) ?? 0;
  return sum;
}
