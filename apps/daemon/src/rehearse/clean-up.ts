import type { Desk, DeskThread, TidyPages } from './desk/desk.ts';
import { DeskError } from './desk/desk-client.ts';
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
  /** Shows the user why the clean-up waits. */
  readonly tell: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Removes what a rehearsal created: issue, draft, branch, labels and comments. @returns what stays */
export function cleanUp(options: CleanUpOptions): Promise<readonly Leftover[]> {
  return new CleanUp(options).run();
}

/** Lists what a rehearsal leaves with `--keep`. */
export function listKept(
  traces: Traces,
  { tidy: { pages } }: Desk,
  texts: RehearsalTexts,
): readonly Leftover[] {
  const { issue, request, branch, labels, isIssueRequested } = traces;
  const found: Pick<Leftover, 'what' | 'url'>[] = [];
  if (request !== null) found.push({ what: texts.left.request(request.number), url: request.url });
  if (branch !== null) found.push({ what: texts.left.branch(branch), url: pages.branch(branch) });
  if (issue !== null) found.push({ what: texts.left.issue(issue.number), url: issue.url });
  else if (isIssueRequested)
    found.push({ what: texts.left.possibleIssue, url: pages.issues(texts.issue.title) });
  for (const label of labels) found.push({ what: texts.left.label(label), url: pages.label(label) });
  return found.map((one) => ({ ...one, reason: texts.keptReason, isPermanent: true }));
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
/** Searches for an issue that may exist: a platform may list it a moment later. */
const searches = 3;
/** Longest time that the clean-up waits for rate limits, in milliseconds, for all of them together. */
const limitPatienceMs = 180_000;

class CleanUp {
  readonly #options: CleanUpOptions;
  readonly #left: Leftover[] = [];
  /** Milliseconds since 1970. */
  #deadline: number;
  #limitPatienceMs = limitPatienceMs;
  /** Accounts whose rate limit lasts longer than the patience, with the answer of the platform. */
  readonly #limited = new Map<Desk, string>();
  /** Why the platform is not asked any more; null while it answers. */
  #lost: string | null = null;

  constructor(options: CleanUpOptions) {
    this.#options = options;
    this.#deadline = options.clock.now() + options.patienceMs;
  }

  async run(): Promise<readonly Leftover[]> {
    const { traces, texts } = this.#options;
    await this.#findIssue();
    const { issue, request, branch } = traces;
    if (request !== null) {
      const thread: DeskThread = { kind: 'request', number: request.number };
      await this.#removeThread({ ...request, thread, nodeId: '', what: texts.left.request(request.number) });
    }
    if (branch !== null)
      await this.#remove({
        ...{ what: texts.left.branch(branch), url: this.#pages?.branch(branch) ?? null },
        act: ({ tidy }) => tidy.deleteBranch(branch),
      });
    if (issue !== null) {
      const thread: DeskThread = { kind: 'issue', number: issue.number };
      await this.#removeThread({ ...issue, thread, what: texts.left.issue(issue.number) });
    }
    for (const label of traces.labels)
      await this.#remove({
        ...{ what: texts.left.label(label), url: this.#pages?.label(label) ?? null },
        act: ({ tidy }) => tidy.deleteLabel(label),
      });
    return this.#left;
  }

  get #pages(): TidyPages | null {
    return this.#options.desks[0]?.tidy.pages ?? null;
  }

  /** Finds the issue if its creation was interrupted, or its answer was lost. */
  async #findIssue(): Promise<void> {
    const { desks, traces, texts, clock, signal } = this.#options;
    for (let count = 0; traces.isIssueRequested && traces.issue === null && count < searches; count += 1) {
      if (count > 0) await clock.sleep(retryMs, signal);
      const reason = await this.#try(desks, async ({ issues }) => {
        traces.issue = await issues.findOpen(traces.id);
      });
      if (reason === null) continue;
      const url = this.#pages?.issues(texts.issue.title) ?? null;
      this.#left.push({ what: texts.left.possibleIssue, url, reason, isPermanent: false });
      return;
    }
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
      act: async ({ comments, requests }) => {
        const isOurs = ({ author }: { readonly author: string | null }) =>
          author !== null && authors.includes(author);
        // GitLab lists comments on lines among the others.
        for (const { id } of (await comments.list(thread)).filter(isOurs))
          await this.#removeComment((desk) => desk.comments.remove(thread, id));
        if (thread.kind === 'issue') return;
        for (const { id } of (await requests.listLineComments(thread.number)).filter(isOurs))
          await this.#removeComment((desk) => desk.requests.removeLineComment(thread.number, id));
      },
    });
  }

  /** @throws DeskError if none of the accounts can delete it */
  async #removeComment(act: Removal['act']): Promise<void> {
    const reason = await this.#try(this.#options.desks, act);
    if (reason !== null) throw new DeskError(reason, { status: 403 });
  }

  /** Lets each desk try. @returns why none succeeded; null if one did */
  async #try(desks: readonly Desk[], act: Removal['act']): Promise<string | null> {
    const { clock, signal } = this.#options;
    let reason = this.#lost ?? '';
    for (const desk of desks) {
      reason = this.#limited.get(desk) ?? reason;
      while (this.#lost === null && !this.#limited.has(desk)) {
        const error = await act(desk).then(
          () => null,
          (caught: Error) => caught,
        );
        if (error === null) return null;
        reason = error.message;
        const waitMs = this.#findWait(desk, error);
        if (waitMs === null) break;
        await clock.sleep(waitMs, signal);
      }
    }
    return reason;
  }

  /** Milliseconds until another attempt; null if there is no other. */
  #findWait(desk: Desk, error: Error): number | null {
    const { clock, tell, texts } = this.#options;
    if (error instanceof DeskError && error.retryAfterMs !== null) {
      const waitMs = Math.max(error.retryAfterMs, retryMs);
      if (waitMs > this.#limitPatienceMs) {
        this.#limited.set(desk, error.message);
        return null;
      }
      this.#limitPatienceMs -= waitMs;
      this.#deadline += waitMs;
      tell(texts.limited(Math.ceil(waitMs / 1_000)));
      return waitMs;
    }
    if (!isUnanswered(error)) return null;
    if (clock.now() < this.#deadline) return retryMs;
    this.#lost = error.message;
    return null;
  }
}

/** True for an error that another attempt may not meet. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof DeskError)) return false;
  return error.status === null ? error.cause !== undefined : error.status >= 500;
}
