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
import { toLines } from '../lines/context-lines.ts';
import { formatMessage, toContextLine } from '../lines/message-line.ts';
import { formatFact } from '../lines/record-line.ts';
import { toOutcome } from '../lines/run-documents.ts';
import { type SummaryPlace, toFinalSummaryLine, toSummaryLine } from '../lines/summary-line.ts';
import { toToolLine } from '../lines/tool-line.ts';
import type { NewIntent } from '../ports.ts';
import { intentFacts } from '../record/outbox-ledger.ts';
import type { RecordWriter } from '../record/record-writer.ts';
import type { NewFinalSummary } from '../run-model.ts';
import type { LoadedRecord } from './record-reading.ts';

/** Learns what was written to a record, to say it again elsewhere. Nothing rests on it. */
export interface RecordFollower {
  /** `contextLine`: what the model sees of a message. */
  readonly addMessage: (contextLine: string) => Promise<void>;
  /** `body`: the fact's line, before it was sealed. */
  readonly addFact: (name: string, body: string) => Promise<void>;
  /** `lines`: what the model sees from now on. */
  readonly replaceContext: (lines: string) => Promise<void>;
  /** Brings everything up to date, as the run comes to rest. */
  readonly settle: () => Promise<void>;
}

interface WriterOptions<Message> {
  readonly record: RecordWriter;
  readonly loaded: LoadedRecord<Message>;
  /** Default none. */
  readonly follower?: RecordFollower | null;
  /** ISO 8601, UTC. */
  readonly timestamp: () => string;
}

/** Writer of the lines of a run's record, each as its kind wants it. */
export type JournalWriter<Message extends MessageLike> = ReturnType<typeof createJournalWriter<Message>>;

export function createJournalWriter<Message extends MessageLike>({
  record,
  loaded,
  follower = null,
  timestamp,
}: WriterOptions<Message>) {
  async function appendFact(fact: NewFact): Promise<void> {
    const dated = { timestamp: timestamp(), ...fact };
    const body = formatFact(dated);
    await record.append(body);
    loaded.applyFact({ type: 'fact', ...dated });
    await follower?.addFact(fact.name, body);
  }

  async function settle(): Promise<void> {
    loaded.kept = null;
    await follower?.settle();
  }

  async function appendMessage(event: MessageEvent<Message>): Promise<number> {
    const seq = loaded.lastSeq + 1;
    const { body, contextLine, tokens } = formatMessage(event, { seq, timestamp: timestamp() });
    await record.append(body);
    loaded.lastSeq = seq;
    // Whoever replays the run has done so.
    loaded.kept = null;
    loaded.tokens.set(seq, tokens);
    await follower?.addMessage(contextLine);
    return seq;
  }

  async function appendSummary(summary: NewSummaryFact): Promise<void> {
    const id = loaded.summaries + 1;
    const place = { id, afterSeq: loaded.lastSeq, originalTokens: sumTokens(loaded.tokens, summary.range) };
    const data = summary.toLine(place) as Json;
    await appendFact({ name: 'summary', data, ...summary.dated });
    loaded.summaries = id;
  }

  async function appendCallersFact({ name, data }: FactEvent): Promise<number> {
    await appendFact({ name, data });
    return record.position().line;
  }

  async function appendToolEvent(event: ToolStartedEvent | ToolFinishedEvent): Promise<number> {
    const seq = loaded.toolLines + 1;
    await appendFact({ name: event.type, data: toToolLine(event, seq) as Json });
    loaded.toolLines = seq;
    return seq;
  }

  return {
    position: record.position,
    appendFact,
    append(event: JournalEvent<Message>): Promise<number> {
      if (event.type === 'message') return appendMessage(event);
      return event.type === 'fact' ? appendCallersFact(event) : appendToolEvent(event);
    },
    async replaceContext(messages: readonly Message[], summary: RunSummary): Promise<void> {
      await appendSummary({ range: summary, toLine: (place) => toSummaryLine(summary, place) });
      await follower?.replaceContext(toLines(messages.map(toContextLine)));
    },
    async appendFinalSummary(summary: NewFinalSummary, at: string): Promise<void> {
      const range = { startSeq: 1, endSeq: loaded.lastSeq };
      const toLine = (place: SummaryPlace) => toFinalSummaryLine(summary, place);
      await appendSummary({ range, toLine, dated: { timestamp: at } });
    },
    settle,
    async finish(end: RunEnd, intents: readonly NewIntent[]): Promise<void> {
      const outcome = toOutcome(end, timestamp());
      const data = { outcome, intents } as unknown as Json;
      await appendFact({ name: intentFacts.ended, data, timestamp: outcome.finished_at });
      loaded.kept = null;
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
