import type { Desk, DeskThread } from './desk/desk.ts';
import { DeskError } from './desk/desk-client.ts';
import { openLabel, rehearsalLabels } from './rehearsal-config.ts';
import type { Traces } from './stage.ts';
import type { RehearsalTexts } from './texts.en.ts';
import type { RehearsalClock } from './wait-for.ts';

/** Something that a rehearsal leaves on the platform. */
export interface Leftover {
  /** What it is, in words for the user. */
  readonly what: string;
  /** Why it could not be removed. */
  readonly reason: string;
  /** Page on which it is removed; null for none. */
  readonly url: string | null;
  /** True if the platform or the permissions do not let it be removed, and it is closed. */
  readonly isPermanent: boolean;
}

/** Options of a clean-up. */
export interface CleanUpOptions {
  /** Desks in the order in which they try: that of the agent, then that of the person. */
  readonly desks: readonly Desk[];
  /** Logins of the accounts whose comments are deleted. */
  readonly authors: readonly string[];
  readonly traces: Traces;
  readonly texts: RehearsalTexts;
  readonly clock: RehearsalClock;
  /** Time for which requests without an answer are sent again, in milliseconds, for all of them together. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/** Removes what a rehearsal created: issue, draft, branch, labels and comments. @returns what stays */
export function cleanUp(options: CleanUpOptions): Promise<readonly Leftover[]> {
  return new CleanUp(options).run();
}

interface Removal {
  readonly what: string;
  readonly url: string | null;
  readonly act: (desk: Desk) => Promise<void>;
}

interface RemovedThread {
  readonly thread: DeskThread;
  readonly nodeId: string;
  readonly url: string;
  readonly what: string;
}

const retryMs = 1_000;

class CleanUp {
  readonly #options: CleanUpOptions;
  readonly #left: Leftover[] = [];
  /** Milliseconds since 1970. */
  readonly #deadline: number;
  /** Why the platform is not asked any more; null while it answers. */
  #lost: string | null = null;

  constructor(options: CleanUpOptions) {
    this.#options = options;
    this.#deadline = options.clock.now() + options.patienceMs;
  }

  async run(): Promise<readonly Leftover[]> {
    const { traces, texts } = this.#options;
    const { issue, request, branch } = traces;
    if (request !== null) {
      const thread: DeskThread = { kind: 'request', number: request.number };
      await this.#removeThread({ ...request, thread, nodeId: '', what: texts.left.request(request.number) });
    }
    if (branch !== null)
      await this.#remove({
        ...{ what: texts.left.branch(branch), url: null },
        act: ({ tidy }) => tidy.deleteBranch(branch),
      });
    if (issue !== null) {
      const thread: DeskThread = { kind: 'issue', number: issue.number };
      await this.#removeThread({ ...issue, thread, what: texts.left.issue(issue.number) });
    }
    for (const label of traces.hasLabels ? [openLabel, ...Object.values(rehearsalLabels)] : [])
      await this.#remove({
        ...{ what: texts.left.label(label), url: null },
        act: ({ tidy }) => tidy.deleteLabel(label),
      });
    return this.#left;
  }

  async #remove({ what, url, act }: Removal): Promise<void> {
    const reason = await this.#try(this.#options.desks, act);
    if (reason !== null) this.#left.push({ what, url, reason, isPermanent: false });
  }

  /** Deletes an issue or request; where that is not possible, deletes its comments and closes it. */
  async #removeThread({ thread, nodeId, url, what }: RemovedThread): Promise<void> {
    const { desks, texts, authors } = this.#options;
    const refused = await this.#try(desks, ({ tidy }) => tidy.deleteThread(thread, nodeId));
    if (refused === null) return;
    const open = await this.#try(desks, ({ tidy }) => tidy.closeThread(thread));
    if (open === null)
      this.#left.push({ what: texts.left.closed(what), url, reason: refused, isPermanent: true });
    else this.#left.push({ what, url, reason: open, isPermanent: false });
    await this.#remove({
      ...{ what: texts.left.comments(what), url },
      act: async ({ comments }) => {
        for (const { id, author } of await comments.list(thread))
          if (author !== null && authors.includes(author)) await this.#removeComment(thread, id);
      },
    });
  }

  /** @throws DeskError if none of the accounts can delete it */
  async #removeComment(thread: DeskThread, id: string): Promise<void> {
    const reason = await this.#try(this.#options.desks, ({ comments }) => comments.remove(thread, id));
    if (reason !== null) throw new DeskError(reason, { status: 403 });
  }

  /** Lets each desk try. @returns why none succeeded; null if one did */
  async #try(desks: readonly Desk[], act: Removal['act']): Promise<string | null> {
    const { clock, signal } = this.#options;
    let reason = this.#lost ?? '';
    for (const desk of desks) {
      while (this.#lost === null) {
        const error = await act(desk).then(
          () => null,
          (caught: Error) => caught,
        );
        if (error === null) return null;
        reason = error.message;
        if (!isUnanswered(error)) break;
        if (clock.now() >= this.#deadline) this.#lost = reason;
        else await clock.sleep(retryMs, signal);
      }
    }
    return reason;
  }
}

/** True for an error that another attempt may not meet. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof DeskError)) return false;
  return error.status === null ? error.cause !== undefined : error.status >= 500 || error.status === 429;
}
