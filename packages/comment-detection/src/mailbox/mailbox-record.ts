import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { CommentChange, DeliveryReceipt } from '../changes.ts';
import { commentSubjectSchema, parseSubjectJson, toSubjectJson } from '../comment-subject.ts';
import { type HeardEvent, isObservedPoll, type Observation, type ObservedPoll } from '../observation.ts';

const observationSchema = z.object({
  id: z.string(),
  revision: z.string(),
  kind: z.enum(['added', 'edited', 'deleted']),
  body: z.string(),
  author: z
    .object({ id: z.string(), login: z.string(), kind: z.enum(['person', 'bot']).optional() })
    .nullable(),
  authority: z.enum(['trusted', 'untrusted', 'unknown']),
  created_at: z.string(),
  updated_at: z.string().nullable(),
  visibility: z.string().optional(),
  part: z.literal('thread').optional(),
  url: z.string().nullish(),
  subject: commentSubjectSchema.optional(),
});

const lineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('opening'),
    writer: z.string(),
    started_at: z.string(),
    history_until: z.string().nullable(),
    observations: z.array(observationSchema),
  }),
  z.object({ type: z.literal('observed'), writer: z.string(), observations: z.array(observationSchema) }),
  z.object({
    type: z.literal('handed'),
    writer: z.string(),
    items: z.array(
      z.object({
        id: z.string(),
        comment_id: z.string(),
        revision: z.string(),
        kind: z.enum(['added', 'edited', 'deleted']),
      }),
    ),
  }),
  z.object({ type: z.literal('acknowledged'), writer: z.string(), ids: z.array(z.string()) }),
]);

/** A line of a mailbox's journal. */
export type MailboxLine = z.infer<typeof lineSchema>;

/** Reads a line; null for one of a later version, or of nobody's. */
export function parseMailboxLine(line: unknown): MailboxLine | null {
  return lineSchema.safeParse(line).data ?? null;
}

type ObservationJson = z.infer<typeof observationSchema>;

/** Observations as a line keeps them. Those of the opening go without their bodies: of history the hash is enough. */
export function toObservationsJson(
  { observations }: ObservedPoll,
  { withBodies }: { readonly withBodies: boolean },
): ObservationJson[] {
  return observations.map(({ createdAt, updatedAt, subject, url, author, visibility, part, ...rest }) => ({
    ...rest,
    body: withBodies ? rest.body : '',
    author: author && { id: author.id, login: author.login, ...(author.kind ? { kind: author.kind } : {}) },
    created_at: createdAt,
    updated_at: updatedAt,
    ...(visibility ? { visibility } : {}),
    ...(part ? { part } : {}),
    ...(url ? { url } : {}),
    ...(subject ? { subject: toSubjectJson(subject) } : {}),
  }));
}

function parseObservations(observations: readonly ObservationJson[]): Observation[] {
  return observations.map(({ created_at: createdAt, updated_at: updatedAt, subject, ...rest }) => ({
    ...rest,
    createdAt,
    updatedAt,
    ...(subject ? { subject: parseSubjectJson(subject) } : {}),
  }));
}

interface HandedItem {
  readonly place: number;
  readonly delivers: DeliveryReceipt['delivers'][number];
}

/**
 * All that the lines of a journal say, in their order: which changes were handed out under which id, and which of them
 * were acknowledged. What it answers depends on the lines alone, so that every process that reads them knows the same.
 */
export class MailboxRecord {
  readonly #handed = new Map<string, HandedItem>();
  readonly #acknowledged = new Set<string>();
  /** By comment, the place of the newest change of it that was acknowledged. */
  readonly #newest = new Map<string, number>();
  readonly #observed = new Set<string>();
  readonly events: HeardEvent[] = [];
  opening: { readonly startedAt: string; readonly writer: string } | null = null;

  /** Takes in a line, and gives what it tells a manager. */
  add(line: MailboxLine): readonly HeardEvent[] {
    const events = this.#read(line);
    this.events.push(...events);
    return events;
  }

  /** Says what an id that was handed out stands for. */
  has(id: string): boolean {
    return this.#handed.has(id);
  }

  /** Names a change: the same one the same, one that was acknowledged never again. */
  toId(change: CommentChange): string {
    const { comment, kind, revision, corrects = false } = change;
    const name = `${kind === 'deleted'} ${corrects} ${revision}`;
    const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
    const id = `${comment.id}-${hash}`;
    for (let times = 1; ; times += 1) {
      const numbered = times === 1 ? id : `${id}-${times}`;
      if (!this.#acknowledged.has(numbered)) return numbered;
    }
  }

  #read(line: MailboxLine): readonly HeardEvent[] {
    switch (line.type) {
      case 'opening':
        return this.#open(line);
      case 'observed': {
        for (const { id } of line.observations) this.#observed.add(id);
        return [{ observations: parseObservations(line.observations), opening: null }];
      }
      case 'handed':
        for (const { id, comment_id, revision, kind } of line.items)
          if (!this.#handed.has(id))
            this.#handed.set(id, {
              place: this.#handed.size,
              delivers: { id: comment_id, revision, kind },
            });
        return [];
      case 'acknowledged':
        return line.ids.flatMap((id) => this.#acknowledge(id));
    }
  }

  /** The first of two processes that begin at once says what is history, and nothing that was found as news before. */
  #open({
    writer,
    started_at: startedAt,
    history_until: historyUntil,
    observations,
  }: Extract<MailboxLine, { type: 'opening' }>): readonly HeardEvent[] {
    if (this.opening !== null) return [];
    this.opening = { startedAt, writer };
    const history = observations.filter(({ id }) => !this.#observed.has(id));
    return [{ observations: parseObservations(history), opening: { historyUntil } }];
  }

  /** An earlier revision that is acknowledged late takes nothing back. */
  #acknowledge(id: string): readonly HeardEvent[] {
    const handed = this.#handed.get(id);
    if (handed === undefined || this.#acknowledged.has(id)) return [];
    this.#acknowledged.add(id);
    const { place, delivers } = handed;
    if (place < (this.#newest.get(delivers.id) ?? -1)) return [];
    this.#newest.set(delivers.id, place);
    return [{ delivers: [delivers] }];
  }
}

/** Lists the receipts among the events. */
export function listReceipts(events: readonly HeardEvent[]): readonly DeliveryReceipt[] {
  return events.flatMap((event) => (isObservedPoll(event) ? [] : [event]));
}
