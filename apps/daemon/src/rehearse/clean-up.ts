import type { Leftover, RehearsalClock } from '@agent/rehearsal';
import type { RepositoryClient, RepositoryPages, ThreadReference } from '@agent/rehearsal/repository';
import { PlatformRequestError } from '@agent/rehearsal/repository';
import type { CreatedItems } from './rehearsal-context.ts';
import type { RehearsalTexts } from './texts.en.ts';

/** Options of a clean-up. */
export interface CleanUpOptions {
  /** Clients in the order in which they try: that of the agent, then that of the person. */
  readonly clients: readonly RepositoryClient[];
  /** Logins of the accounts whose comments are deleted. */
  readonly authors: readonly string[];
  readonly created: CreatedItems;
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
  created: CreatedItems,
  { pages }: RepositoryClient,
  texts: RehearsalTexts,
): readonly Leftover[] {
  const { issue, request, branch, labels, requestedLabel, isIssueRequested } = created;
  const found: Pick<Leftover, 'what' | 'url'>[] = [];
  if (request !== null) found.push({ what: texts.left.request(request.number), url: request.url });
  if (branch !== null) found.push({ what: texts.left.branch(branch), url: pages.branch(branch) });
  if (issue !== null) found.push({ what: texts.left.issue(issue.number), url: issue.url });
  else if (isIssueRequested)
    found.push({ what: texts.left.possibleIssue, url: pages.issues(texts.issue.title) });
  for (const label of labels) found.push({ what: texts.left.label(label), url: pages.label(label) });
  if (requestedLabel !== null)
    found.push({ what: texts.left.possibleLabel(requestedLabel), url: pages.label(requestedLabel) });
  return found.map((one) => ({ ...one, reason: texts.keptReason, isPermanent: true }));
}

interface Removal {
  readonly what: string;
  readonly url: string | null;
  readonly act: (client: RepositoryClient) => Promise<void>;
}

interface RemovedThread {
  readonly thread: ThreadReference;
  readonly nodeId: string;
  readonly url: string;
  readonly what: string;
}

const retryMs = 1_000;
/** Searches for an issue or a label that may exist: a platform may list it a moment later. */
const searches = 3;
/** Longest time that the clean-up waits for rate limits, in milliseconds, for all of them together. */
const limitPatienceMs = 180_000;

class CleanUp {
  readonly #options: CleanUpOptions;
  readonly #left: Leftover[] = [];
  /** Milliseconds since 1970. */
  #deadline: number;
  #limitPatienceMs = limitPatienceMs;
  /** Accounts whose rate limit lasts longer than the clean-up waits, with the answer of the platform. */
  readonly #limited = new Map<RepositoryClient, string>();
  /** Why the platform is not asked any more; null while it answers. */
  #lost: string | null = null;

  constructor(options: CleanUpOptions) {
    this.#options = options;
    this.#deadline = options.clock.now() + options.patienceMs;
  }

  async run(): Promise<readonly Leftover[]> {
    const { created, texts } = this.#options;
    await this.#findIssue();
    await this.#findLabel();
    const { issue, request, branch } = created;
    if (request !== null) {
      const thread: ThreadReference = { kind: 'request', number: request.number };
      await this.#removeThread({ ...request, thread, nodeId: '', what: texts.left.request(request.number) });
    }
    if (branch !== null)
      await this.#remove({
        ...{ what: texts.left.branch(branch), url: this.#pages?.branch(branch) ?? null },
        act: ({ removeCreated }) => removeCreated.deleteBranch(branch),
      });
    if (issue !== null) {
      const thread: ThreadReference = { kind: 'issue', number: issue.number };
      await this.#removeThread({ ...issue, thread, what: texts.left.issue(issue.number) });
    }
    for (const label of created.labels)
      await this.#remove({
        ...{ what: texts.left.label(label), url: this.#pages?.label(label) ?? null },
        act: ({ removeCreated }) => removeCreated.deleteLabel(label),
      });
    return this.#left;
  }

  get #pages(): RepositoryPages | null {
    return this.#options.clients[0]?.pages ?? null;
  }

  /** Finds the issue if its creation was interrupted, or its answer was lost. */
  async #findIssue(): Promise<void> {
    const { created, texts } = this.#options;
    if (!created.isIssueRequested || created.issue !== null) return;
    const reason = await this.#search(async ({ issues }) => {
      created.issue = await issues.findOpen(created.id);
      return created.issue !== null;
    });
    if (reason === null) return;
    const url = this.#pages?.issues(texts.issue.title) ?? null;
    this.#left.push({ what: texts.left.possibleIssue, url, reason, isPermanent: false });
  }

  /** Finds the label whose creation was interrupted, or whose answer was lost. */
  async #findLabel(): Promise<void> {
    const { created, texts } = this.#options;
    const { requestedLabel: label } = created;
    if (label === null) return;
    const reason = await this.#search(async ({ removeCreated }) => {
      const isOwn = await removeCreated.isOwnLabel(label);
      if (isOwn) created.labels.push(label);
      return isOwn;
    });
    if (reason === null) return;
    const url = this.#pages?.label(label) ?? null;
    this.#left.push({ what: texts.left.possibleLabel(label), url, reason, isPermanent: false });
  }

  /** Searches until something is found, a few times. @returns why the platform could not be searched; null if it could */
  async #search(find: (client: RepositoryClient) => Promise<boolean>): Promise<string | null> {
    const { clients, clock, signal } = this.#options;
    for (let count = 0; count < searches; count += 1) {
      if (count > 0) await clock.sleep(retryMs, signal);
      let isFound = false;
      const reason = await this.#try(clients, async (client) => {
        isFound = await find(client);
      });
      if (reason !== null || isFound) return reason;
    }
    return null;
  }

  async #remove({ what, url, act }: Removal): Promise<void> {
    const reason = await this.#try(this.#options.clients, act);
    if (reason !== null) this.#left.push({ what, url, reason, isPermanent: false });
  }

  /** Deletes an issue or request; where that is not possible, deletes its comments and closes it. */
  async #removeThread({ thread, nodeId, url, what }: RemovedThread): Promise<void> {
    const { clients, texts, authors } = this.#options;
    const refused = await this.#try(clients, ({ removeCreated }) =>
      removeCreated.deleteThread(thread, nodeId),
    );
    if (refused === null) return;
    const open = await this.#try(clients, ({ removeCreated }) => removeCreated.closeThread(thread));
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
          await this.#removeComment((client) => client.comments.remove(thread, id));
        if (thread.kind === 'issue') return;
        for (const { id } of (await requests.listLineComments(thread.number)).filter(isOurs))
          await this.#removeComment((client) => client.requests.removeLineComment(thread.number, id));
      },
    });
  }

  /** @throws PlatformRequestError if none of the accounts can delete it */
  async #removeComment(act: Removal['act']): Promise<void> {
    const reason = await this.#try(this.#options.clients, act);
    if (reason !== null) throw new PlatformRequestError(reason, { status: 403 });
  }

  /** Lets each client try. @returns why none succeeded; null if one did */
  async #try(clients: readonly RepositoryClient[], act: Removal['act']): Promise<string | null> {
    const { clock, signal } = this.#options;
    let reason = this.#lost ?? '';
    for (const client of clients) {
      reason = this.#limited.get(client) ?? reason;
      while (this.#lost === null && !this.#limited.has(client)) {
        const error = await act(client).then(
          () => null,
          (caught: Error) => caught,
        );
        if (error === null) return null;
        reason = error.message;
        const waitMs = this.#findWait(client, error);
        if (waitMs === null) break;
        await clock.sleep(waitMs, signal);
      }
    }
    return reason;
  }

  /** Milliseconds until another attempt; null if there is no other. */
  #findWait(client: RepositoryClient, error: Error): number | null {
    const { clock, tell, texts } = this.#options;
    if (error instanceof PlatformRequestError && error.retryAfterMs !== null) {
      const waitMs = Math.max(error.retryAfterMs, retryMs);
      if (waitMs > this.#limitPatienceMs) {
        this.#limited.set(client, error.message);
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
  if (!(error instanceof PlatformRequestError)) return false;
  return error.status === null ? error.cause !== undefined : error.status >= 500;
}
