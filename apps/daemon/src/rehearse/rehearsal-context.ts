import type { BuiltInName } from '@agent/orchestrator/platforms';
import type { RunView } from '@agent/orchestrator/watch';
import {
  CheckFailure,
  type CheckResults,
  makeCheck,
  type RehearsalClock,
  type RehearsedProcess,
  type RepositoryCheck,
  type Verdict,
  waitFor,
} from '@agent/rehearsal';
import type { CommentState, RepositoryClient, ThreadReference } from '@agent/rehearsal/repository';
import type { Person } from './person.ts';
import type { RehearsedRun } from './run-record.ts';
import type { RehearsalTexts } from './texts.en.ts';

/** Longest waits of a rehearsal, in milliseconds. */
export interface WaitLimits {
  /** For something that the platform and the daemon do without the model. */
  readonly platformMs: number;
  /** For the start of the daemon, until it works on the issue. */
  readonly startMs: number;
  /** For something that takes steps of the model. */
  readonly modelMs: number;
  /** Between two polls. */
  readonly intervalMs: number;
  /** Time after which a new comment has to be in the lists of the platform. */
  readonly freshMs: number;
  /** Time after which a run has to be stopped by a comment. In a step of the model, a daemon without a webhook lists comments every 30 s. */
  readonly stopMs: number;
}

/** What a rehearsal has created so far, and has to remove. */
export interface CreatedItems {
  /** Random id in the text of the issue. */
  readonly id: string;
  /** True as soon as the issue may exist. */
  isIssueRequested: boolean;
  issue: { readonly number: number; readonly url: string; readonly nodeId: string } | null;
  request: { readonly number: number; readonly url: string } | null;
  branch: string | null;
  /** Labels that a rehearsal has created. */
  readonly labels: string[];
  /** Label whose creation has no answer yet, so that it may exist; null for none. */
  requestedLabel: string | null;
}

/** Parts of a context. */
export interface RehearsalContextParts {
  readonly platform: BuiltInName;
  readonly agent: RepositoryClient;
  readonly agentLogin: string;
  readonly person: Person;
  readonly child: RehearsedProcess;
  readonly results: CheckResults<RepositoryCheck>;
  readonly created: CreatedItems;
  readonly texts: RehearsalTexts;
  readonly clock: RehearsalClock;
  readonly waitLimits: WaitLimits;
  readonly hasWebhook: boolean;
  /** Opens the record of the run on this issue. */
  readonly openRun: (url: string) => RehearsedRun;
  readonly signal: AbortSignal;
}

/** Warnings of the daemon that a failed check quotes. */
const quotedWarnings = 2;

/** The context of a rehearsal: accounts, daemon and checks, with the ways in which its checks wait and report. */
export class RehearsalContext {
  readonly parts: RehearsalContextParts;
  #run: RehearsedRun | null = null;

  constructor(parts: RehearsalContextParts) {
    this.parts = parts;
  }

  /** The issue of the rehearsal. @throws Error before it is opened */
  get thread(): ThreadReference {
    const { issue } = this.parts.created;
    if (issue === null) throw new Error('The issue of the rehearsal is not open yet.');
    return { kind: 'issue', number: issue.number };
  }

  /** Makes a check. What it throws is a failure, unless the rehearsal is interrupted. @returns true if it passed */
  check(name: RepositoryCheck, make: () => Promise<Verdict>): Promise<boolean> {
    const { results, clock, signal } = this.parts;
    const advise = (of: RepositoryCheck, verdict: Verdict): Verdict => this.advise(of, verdict);
    return makeCheck({ results, clock, signal, advise }, name, make);
  }

  /** Adds the usual instruction and page to a verdict that has none. */
  advise(name: RepositoryCheck, verdict: Verdict): Verdict {
    if (verdict.status === 'passed') return verdict;
    const { texts, platform } = this.parts;
    const usual = verdict.status === 'failed' ? texts.fixes[name] : texts.fixesNotSupported[name];
    const { fix = usual ?? null, url = findVendorPage(platform, name) } = verdict;
    return { ...verdict, fix, url };
  }

  /** Waits for something. @throws Error if there is nothing in time, or the daemon exits */
  async until<Found>(
    kind: 'platform' | 'start' | 'model',
    find: () => Promise<Found | null>,
  ): Promise<Found> {
    const { clock, waitLimits, signal, child, texts } = this.parts;
    const patienceMs = waitLimits[`${kind}Ms`];
    const begin = clock.now();
    const found = await waitFor(
      async () => {
        if (child.problem !== null)
          throw new CheckFailure(texts.daemonExited(child.problem), texts.fixesByCause.daemonExited);
        return find();
      },
      { clock, patienceMs, intervalMs: waitLimits.intervalMs, signal },
    );
    if (found !== null) return found;
    const warnings = child.listWarnings(quotedWarnings).join(' · ');
    throw new Error(texts.nothingSeen(Math.round((clock.now() - begin) / 1_000), warnings));
  }

  /** Reads the record of the run; null before the run begins. */
  async readRun(): Promise<RunView | null> {
    const { created, openRun } = this.parts;
    if (created.issue === null) return null;
    this.#run ??= openRun(created.issue.url);
    return this.#run.read();
  }

  /** @throws CheckFailure if the run is finished, so that nothing more happens in it */
  requireUnfinished(run: RunView | null): void {
    const { texts } = this.parts;
    if (run?.row.state === 'in_review') throw new CheckFailure(texts.tooFast, texts.fixesByCause.tooFast);
    if (run?.row.state === 'ended')
      throw new CheckFailure(texts.endedEarly(...describeEnd(run)), texts.fixesByCause.ended);
  }

  /** Counts how often the model was shown each revision of a comment. */
  async countDeliveries(): Promise<ReadonlyMap<string, number>> {
    return (await this.#run?.countDeliveries()) ?? new Map();
  }

  listComments(): Promise<readonly CommentState[]> {
    return this.parts.agent.comments.list(this.thread);
  }

  /** Status comments of runs on the issue: one for each run. */
  async listStatusComments(): Promise<readonly CommentState[]> {
    return (await this.listComments()).filter(({ body }) => statusMarker.test(body));
  }

  seconds(since: number): string {
    return ((this.parts.clock.now() - since) / 1_000).toFixed(1);
  }
}

/** Describes the end of a run: its status, and the reason that it gives; empty for none. */
export function describeEnd({ row, outcome }: RunView): readonly [status: string, reason: string] {
  return [row.status ?? 'ended', outcome?.reason ?? outcome?.text ?? ''];
}

const statusMarker = /^<!-- agent-comment: run:[0-9a-f-]{36}:status -->/;

const gitHubPages: Partial<Record<RepositoryCheck, string>> = {
  access:
    'https://docs.github.com/en/rest/authentication/permissions-required-for-fine-grained-personal-access-tokens',
  person:
    'https://docs.github.com/en/organizations/managing-user-access-to-your-organizations-repositories/managing-repository-roles/repository-roles-for-an-organization',
  labels: 'https://docs.github.com/en/rest/issues/labels#create-a-label',
  start: 'https://docs.github.com/en/rest/issues/comments#create-an-issue-comment',
  comment: 'https://docs.github.com/en/rest/issues/comments#list-issue-comments',
  'fresh-list': 'https://docs.github.com/en/rest/issues/comments#list-issue-comments',
  reaction: 'https://docs.github.com/en/rest/reactions/reactions#create-reaction-for-an-issue-comment',
  edit: 'https://docs.github.com/en/rest/issues/comments#update-an-issue-comment',
  deletion: 'https://docs.github.com/en/rest/issues/comments#delete-an-issue-comment',
  pages: 'https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api',
  conditional:
    'https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate',
  'rate-limit': 'https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api',
  draft:
    'https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/proposing-changes-to-your-work-with-pull-requests/about-pull-requests#draft-pull-requests',
  review: 'https://docs.github.com/en/rest/pulls/comments#create-a-reply-for-a-review-comment',
  webhook:
    'https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/viewing-webhook-deliveries',
  'clean-up':
    'https://docs.github.com/en/issues/tracking-your-work-with-issues/administering-issues/deleting-an-issue',
};

const gitLabPages: Partial<Record<RepositoryCheck, string>> = {
  access: 'https://docs.gitlab.com/user/profile/personal_access_tokens/#personal-access-token-scopes',
  person: 'https://docs.gitlab.com/user/permissions/',
  labels: 'https://docs.gitlab.com/api/labels/#create-a-new-label',
  start: 'https://docs.gitlab.com/api/notes/#create-new-issue-note',
  comment: 'https://docs.gitlab.com/api/notes/#list-project-issue-notes',
  'fresh-list': 'https://docs.gitlab.com/api/notes/#list-project-issue-notes',
  reaction: 'https://docs.gitlab.com/api/emoji_reactions/',
  edit: 'https://docs.gitlab.com/api/notes/#modify-existing-issue-note',
  deletion: 'https://docs.gitlab.com/api/notes/#delete-an-issue-note',
  pages: 'https://docs.gitlab.com/api/rest/#pagination',
  'rate-limit': 'https://docs.gitlab.com/security/rate_limits/',
  draft: 'https://docs.gitlab.com/user/project/merge_requests/drafts/',
  review: 'https://docs.gitlab.com/api/discussions/#merge-requests',
  webhook: 'https://docs.gitlab.com/user/project/integrations/webhooks/#view-webhook-request-history',
  'clean-up': 'https://docs.gitlab.com/user/permissions/',
};

const pages: Readonly<Record<BuiltInName, Partial<Record<RepositoryCheck, string>>>> = {
  github: gitHubPages,
  gitlab: gitLabPages,
};

/** Finds the page of the platform's documentation that belongs to a check; null for none. */
export function findVendorPage(platform: BuiltInName, name: RepositoryCheck): string | null {
  return pages[platform][name] ?? null;
}
