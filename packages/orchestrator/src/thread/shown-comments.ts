import { hashBody, isObservedPoll } from '@agent/comment-detection';
import type { FactEvent, Json } from '@agent/run-store';
import { z } from 'zod';
import { type DeliveringEntry, readHearing } from './detection-record.ts';

/** Name of the fact that says which comments the first message or `read_comment` has shown. */
const factName = 'shown-comments';

const factSchema = z.object({
  /** True for the first message: it replaces what an earlier opening has recorded. */
  opening: z.boolean(),
  comments: z.array(z.object({ id: z.string(), hash: z.string(), part: z.literal(true).optional() })),
  /** On an opening: when the newest comment of the thread was written. */
  until: z.string().nullable().optional(),
});

/** A text that the model was shown. */
export interface ShownComment {
  /** `thread` for title and text of the issue. */
  readonly id: string;
  readonly body: string;
  /** False if only a part of it was shown. */
  readonly isWhole: boolean;
}

export interface ShownComments {
  readonly opening: boolean;
  readonly comments: readonly ShownComment[];
  /** For a first message: when the newest comment of the thread was written (ISO 8601); null for a thread without comments. */
  readonly until?: string | null | undefined;
}

/** Formats the fact that these comments were shown, in these words. */
export function toShownFact({ opening, comments, until }: ShownComments): FactEvent {
  const data = { opening, comments: comments.map(toFactEntry) };
  return { type: 'fact', name: factName, data: until === undefined ? data : { ...data, until } };
}

function toFactEntry({ id, body, isWhole }: ShownComment) {
  return { id, hash: hashBody(body), ...(isWhole ? {} : { part: true as const }) };
}

/** Revisions of a text that the model was shown, each by the beginning of the SHA-256 of its body. */
export interface ShownRevisions {
  readonly whole: ReadonlySet<string>;
  readonly parts: ReadonlySet<string>;
}

/**
 * Reads the comments that a run's model was shown, by id; `thread` is title and text of the issue. A comment counts if the first
 * message or `read_comment` has shown it, or if it was delivered to the conversation.
 */
export async function readShownComments(
  journal: AsyncIterable<DeliveringEntry>,
): Promise<ReadonlyMap<string, ShownRevisions>> {
  const recorded: z.infer<typeof factSchema>[] = [];
  const hearing = await readHearing(collectFacts(journal, (data) => recorded.push(factSchema.parse(data))));
  const opening = recorded.findLast((fact) => fact.opening);
  const shown = new Map<string, { readonly whole: Set<string>; readonly parts: Set<string> }>();
  const show = (id: string, { hash, isWhole }: { readonly hash: string; readonly isWhole: boolean }) => {
    const known = shown.get(id) ?? { whole: new Set(), parts: new Set() };
    (isWhole ? known.whole : known.parts).add(hash);
    shown.set(id, known);
  };
  const note = ({ comments }: z.infer<typeof factSchema>) => {
    for (const { id, hash, part } of comments) show(id, { hash, isWhole: part !== true });
  };
  if (opening !== undefined) note(opening);
  for (const event of hearing) {
    if (isObservedPoll(event) || event.opening) continue;
    for (const { id, revision, kind, shown: part } of event.delivers) {
      if (kind === 'deleted') shown.delete(id);
      else if (part !== 'line') show(id, { hash: revision.split('@')[0] ?? '', isWhole: part !== 'part' });
    }
  }
  for (const fact of recorded) if (!fact.opening) note(fact);
  return shown;
}

/** The same entries; tells of each opening when the newest comment of its thread was written, null if there was none. */
export function watchOpenings(
  entries: AsyncIterable<DeliveringEntry>,
  onOpening: (until: string | null) => void,
): AsyncIterable<DeliveringEntry> {
  return collectFacts(entries, (data) => {
    const { opening, until } = factSchema.parse(data);
    if (opening) onOpening(until ?? null);
  });
}

async function* collectFacts(
  entries: AsyncIterable<DeliveringEntry>,
  onFact: (data: Json) => void,
): AsyncGenerator<DeliveringEntry> {
  for await (const entry of entries) {
    if (entry.type === 'fact' && entry.name === factName) onFact(entry.data);
    yield entry;
  }
}
