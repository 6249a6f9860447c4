import { z } from 'zod';
import { parseCommands, type RecordedCommand } from '../inbox/handled-commands.ts';
import { parseObserved } from '../thread/detection-record.ts';
import type { ReadLine } from './timeline-entry.ts';

/** Comment on its way through a run. */
export interface CommentPassage {
  readonly id: string;
  readonly kind: 'added' | 'edited' | 'deleted';
  readonly author: string | null;
  /** Page of the comment; null if it has none. */
  readonly url: string | null;
  /** Text as the record has it; null if it has none. */
  readonly body: string | null;
  /** Milliseconds since 1970; null where it has not come, or nobody wrote it down. */
  readonly postedAt: number | null;
  readonly seenAt: number | null;
  readonly deliveredAt: number | null;
  /** Number of the model request that had it; null before. */
  readonly request: number | null;
  /** Time of the model answer to that request. Nothing need have been written on the thread. */
  readonly answeredAt: number | null;
  /** Command that it gives, and what became of it; null for another comment. */
  readonly command: CommandPassage | null;
}

/** Command of a comment. `unknown`: whether it was trusted could not be found out yet. */
export interface CommandPassage extends Pick<RecordedCommand, 'outcome'> {
  /** `/pause` */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const deliversSchema = z.array(
  z.object({ id: z.string(), revision: z.string(), kind: z.enum(['added', 'edited', 'deleted']) }),
);

/** Follows comments through the lines of a record: found, put before the model, in a request, answered. */
export class CommentPassages {
  readonly #passages = new Map<string, CommentPassage>();
  /** Keys of those that the next answer follows. */
  #open: string[] = [];
  #requests = 0;

  /** @throws never: what says nothing changes nothing */
  read({ fact, at, data }: ReadLine): void {
    if (fact === 'observed') this.#observe(data, at);
    if (fact === 'state') this.#command(data, at);
    if (fact !== null) return;
    if (data.usage != null) this.#answer(at);
    this.#deliver(deliversSchema.safeParse(data.delivers).data ?? [], at);
  }

  /** Number of comments, edits and deletions so far. */
  get size(): number {
    return this.#passages.size;
  }

  list(): readonly CommentPassage[] {
    return [...this.#passages.values()];
  }

  #observe(data: ReadLine['data'], seenAt: number): void {
    const observations = parsedOrNone(data);
    for (const { id, revision, kind, body, author, createdAt, updatedAt, url } of observations) {
      const key = keyOf({ id, revision, kind });
      const known = this.#passages.get(key);
      // A second observation of the same revision says who may steer.
      if (known !== undefined && known.seenAt !== null) continue;
      const postedAt =
        kind === 'deleted' ? null : Date.parse((kind === 'edited' ? updatedAt : null) ?? createdAt);
      this.#passages.set(key, {
        ...{ deliveredAt: null, request: null, answeredAt: null, command: null },
        ...known,
        ...{ id, kind, author: author?.login ?? null, url: url ?? null, body },
        ...{ postedAt: Number.isNaN(postedAt) ? null : postedAt, seenAt },
      });
    }
  }

  #command({ name, value }: ReadLine['data'], at: number): void {
    for (const { comment, revision, command, outcome } of parseCommands(name, value))
      for (const [key, known] of this.#passages) {
        if (known.id !== comment || known.kind === 'deleted' || !key.startsWith(`${comment} ${revision} `))
          continue;
        if (known.command?.outcome === outcome) continue;
        this.#passages.set(key, { ...known, command: { name: `/${command}`, outcome, at } });
      }
  }

  #deliver(delivers: z.output<typeof deliversSchema>, at: number): void {
    for (const revision of delivers) {
      const key = keyOf(revision);
      const known = this.#passages.get(key) ?? toUnseen(revision);
      if (known.deliveredAt !== null) continue;
      this.#passages.set(key, { ...known, deliveredAt: at });
      this.#open.push(key);
    }
  }

  #answer(at: number): void {
    this.#requests += 1;
    for (const key of this.#open) {
      const known = this.#passages.get(key);
      if (known !== undefined) this.#passages.set(key, { ...known, request: this.#requests, answeredAt: at });
    }
    this.#open = [];
  }
}

function keyOf(one: { readonly id: string; readonly revision: string; readonly kind: string }): string {
  return `${one.id} ${one.revision} ${one.kind}`;
}

function toUnseen({ id, kind }: z.output<typeof deliversSchema>[number]): CommentPassage {
  return {
    ...{ id, kind, author: null, url: null, body: null, postedAt: null, seenAt: null },
    ...{ deliveredAt: null, request: null, answeredAt: null, command: null },
  };
}

function parsedOrNone(data: unknown): ReturnType<typeof parseObserved>['poll']['observations'] {
  try {
    return parseObserved(data).poll.observations;
  } catch {
    return [];
  }
}
