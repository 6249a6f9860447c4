import type { CommentListing } from '@agent/platforms';
import type { SourceComment } from '../src/comment.ts';
import type { CommentSource } from '../src/index.ts';

/**
 * A platform that behaves as badly as real ones may: it fails, it lists by page while comments are edited and
 * deleted under it, it answers half a list, and now and then from a copy that is behind.
 */
export class PlatformModel {
  /** What each comment was, one revision after the other; the last is null once it is deleted. */
  readonly histories = new Map<string, (string | null)[]>();
  readonly #comments = new Map<string, SourceComment>();
  #older: readonly SourceComment[] = [];
  #shifts: number[] = [];
  #failures = 0;
  #behind = false;
  clock = Date.parse('2026-01-01T00:00:00Z');
  #nextId = 1;
  /** Everything said before the task began. */
  readonly atStart = new Set<string>();
  /** Ids that a listing has shown, from an old copy or not. */
  readonly shown = new Set<string>();

  readonly source: CommentSource = { listComments: async ({ since }) => this.#list(since) };

  /** The same with a proof: what it shows of one comment is never behind. */
  readonly provingSource: CommentSource = {
    ...this.source,
    getComment: async (id) => {
      if (this.#failures > 0) throw new Error('503');
      return this.#comments.get(id) ?? null;
    },
  };

  /** Every call is a moment of its own; several fall into one second, as on a real platform. */
  #tick(): string {
    this.clock += 400;
    return new Date(Math.floor(this.clock / 1000) * 1000).toISOString();
  }

  add(body: string): void {
    const time = this.#tick();
    const id = String(this.#nextId++);
    this.#remember();
    this.#comments.set(id, {
      id,
      author: { id: '7', login: 'alice' },
      body,
      createdAt: time,
      updatedAt: time,
    });
    this.histories.set(id, [body]);
  }

  edit(which: number, body: string): void {
    const comment = this.#pick(which);
    if (comment === undefined || comment.body === body) return;
    this.#remember();
    this.#comments.set(comment.id, { ...comment, body, updatedAt: this.#tick() });
    this.histories.get(comment.id)?.push(body);
  }

  remove(which: number): void {
    const comment = this.#pick(which);
    if (comment === undefined) return;
    this.#remember();
    this.#tick();
    this.#comments.delete(comment.id);
    this.histories.get(comment.id)?.push(null);
  }

  fail(times: number): void {
    this.#failures += times;
  }

  /** The next listing misses the comment at this place: another was deleted from a page before it. */
  shift(place: number): void {
    this.#shifts = [place];
  }

  /** The next listing comes from a copy that has not seen the last change. */
  lag(): void {
    this.#behind = true;
  }

  /** Nothing happens for a while: what follows bears another second. */
  rest(): void {
    this.clock += 5000;
  }

  calm(): void {
    this.#failures = 0;
    this.#shifts = [];
    this.#behind = false;
  }

  get living(): readonly SourceComment[] {
    return [...this.#comments.values()];
  }

  /** Comments of one second keep the order of their ids, as platforms list them. */
  #list(since: string | null): CommentListing<SourceComment> {
    if (this.#failures > 0) {
      this.#failures -= 1;
      throw Object.assign(new Error('503'), { retryAfterMs: 1 });
    }
    const all = this.#behind && this.#canTellOlder() ? this.#older : this.living;
    this.#behind = false;
    const shown = all.filter(({ updatedAt }) => since === null || (updatedAt ?? '') >= since);
    const missed = this.#shifts.shift();
    const comments = shown.filter((_, place) => missed === undefined || place !== missed % shown.length);
    for (const { id } of comments) this.shown.add(id);
    return { comments, complete: since === null, cursor: this.#cursorAfter(all), unchanged: false };
  }

  /** The newest change that was shown, less a minute: the overlap that the adapters keep. */
  #cursorAfter(comments: readonly SourceComment[]): string | null {
    const newest = Math.max(0, ...comments.map(({ updatedAt }) => Date.parse(updatedAt ?? '')));
    return newest === 0 ? null : new Date(newest - 60_000).toISOString();
  }

  /** Nobody can tell an old copy by two bodies that bear the same second. */
  #canTellOlder(): boolean {
    return this.#older.every(({ id, body, updatedAt }) => {
      const now = this.#comments.get(id);
      return now === undefined || now.body === body || now.updatedAt !== updatedAt;
    });
  }

  #pick(which: number): SourceComment | undefined {
    const living = this.living;
    return living[which % Math.max(1, living.length)];
  }

  #remember(): void {
    this.#older = this.living;
  }
}
