import type { Account, TaskKey } from '@agent/platforms';
import type { JsonObject } from '@agent/run-store';
import type { Locale } from '@agent/text';
import { z } from 'zod';
import { type SaidBefore, saidBeforeSchema } from '../thread/detection-record.ts';

/** Facts that are fixed when a run begins; kept in `metadata.json` under these names in snake_case. */
export interface RunFacts {
  readonly kind: 'issue' | ChangeRequestKind;
  readonly number: number;
  /** The platform's own id of the thread, beside its key; null where the platform does not say. */
  readonly threadId: string | null;
  readonly title: string;
  readonly url: string;
  readonly locale: Locale;
  /** When the thread last changed before the run began, by the platform's clock; null where the platform does not say. */
  readonly threadUpdatedAt: string | null;
  /** Comments with which it was begun, as far as times do not tell them from later ones. */
  readonly saidBefore: readonly SaidBefore[];
  /** True where we were assigned when the run began: only then can taking the assignment away stop it at once. */
  readonly assigned: boolean;
  /** Handover of the thread to the agent; null where the platform does not say. */
  readonly handover: Handover | null;
  /** Comments that earlier runs of the thread heard too late and nobody answered, by their ids: the run opens with them. */
  readonly unanswered: readonly string[];
  /** Thread that the run is filed under with others of its task, as `formatTaskKey` writes it; null for its own. */
  readonly belongsTo: string | null;
  /** Repository that is worked in; null where the thread belongs to no repository: then the answer is a comment alone. */
  readonly repository: RepositoryFacts | null;
}

/** The repository of a run, and the branch that its changes go to. */
export interface RepositoryFacts {
  /** The platform's own number of it; null where the platform does not say. */
  readonly id: string | null;
  /** `owner/repo`. */
  readonly path: string;
  readonly cloneUrl: string;
  readonly branch: string;
  readonly baseBranch: string;
  /** True for a branch of the run's own, false for the head of the request that it works on. */
  readonly isOwn: boolean;
}

/** Act of giving a thread to the agent: by whom, when and as it was. */
export interface Handover {
  /** Account whose authority it rests on. */
  readonly by: Account;
  /** ISO 8601, by the platform's clock: what strangers changed later is not what was handed over. */
  readonly at: string;
  /** The commit that the change request proposes; null where the thread is none. */
  readonly head: string | null;
  /** The comment that gave it, or for which the agent gave it back to itself; null where there is none. */
  readonly commentId: string | null;
}

/** Name that people give to a request to merge a branch: it depends on the platform. */
export type ChangeRequestKind = 'pull request' | 'merge request';

/** Names the requests of this key's platform; where nobody says otherwise, as on GitHub. */
export function changeRequestKindOf(key: TaskKey): ChangeRequestKind {
  return key.type === 'gitlab_issue' || key.type === 'gitlab_merge_request'
    ? 'merge request'
    : 'pull request';
}

/** `#7`; `!7` for a merge request: GitLab numbers them apart from issues. */
export function formatReference(kind: 'issue' | ChangeRequestKind, number: number): string {
  return `${kind === 'merge request' ? '!' : '#'}${number}`;
}

const factsSchema = z.object({
  kind: z.enum(['issue', 'pull request', 'merge request']),
  number: z.number(),
  thread_id: z.string().nullable(),
  title: z.string(),
  url: z.string(),
  locale: z.enum(['ja', 'en']),
  thread_updated_at: z.string().nullable(),
  said_before: saidBeforeSchema,
  assigned: z.boolean(),
  handover: z
    .object({
      by: z.object({ id: z.string(), login: z.string(), kind: z.enum(['person', 'bot']) }),
      at: z.string(),
      head: z.string().nullable(),
      comment_id: z.string().nullable(),
    })
    .nullable(),
  unanswered: z.array(z.string()),
  belongs_to: z.string().nullable(),
  repository: z.string().nullable(),
  repository_id: z.string().nullable(),
  clone_url: z.string().nullable(),
  branch: z.string().nullable(),
  base_branch: z.string().nullable(),
  own_branch: z.boolean().nullable(),
});

/** The facts of a run as `metadata.json` keeps them. */
export function toFactsJson(facts: RunFacts): JsonObject {
  return {
    kind: facts.kind,
    number: facts.number,
    thread_id: facts.threadId,
    title: facts.title,
    url: facts.url,
    locale: facts.locale,
    thread_updated_at: facts.threadUpdatedAt,
    said_before: facts.saidBefore,
    assigned: facts.assigned,
    handover: toHandoverJson(facts.handover),
    unanswered: facts.unanswered,
    belongs_to: facts.belongsTo,
    repository: facts.repository?.path ?? null,
    repository_id: facts.repository?.id ?? null,
    clone_url: facts.repository?.cloneUrl ?? null,
    branch: facts.repository?.branch ?? null,
    base_branch: facts.repository?.baseBranch ?? null,
    own_branch: facts.repository?.isOwn ?? null,
  };
}

function toHandoverJson(handover: Handover | null): JsonObject | null {
  if (handover === null) return null;
  const { by, at, head, commentId } = handover;
  return { by: { id: by.id, login: by.login, kind: by.kind }, at, head, comment_id: commentId };
}

function readHandover(json: z.output<typeof factsSchema>['handover']): Handover | null {
  if (json === null) return null;
  const { comment_id: commentId, ...rest } = json;
  return { ...rest, commentId };
}

/** Reads them back. @throws when `metadata.json` was not written by this program */
export function parseFactsJson(json: JsonObject): RunFacts {
  const {
    repository: path,
    repository_id: id,
    clone_url: cloneUrl,
    branch,
    base_branch: baseBranch,
    own_branch: ownBranch,
    thread_id: threadId,
    thread_updated_at: threadUpdatedAt,
    said_before: saidBefore,
    belongs_to: belongsTo,
    handover,
    ...rest
  } = factsSchema.parse(json);
  const isWhole =
    path !== null && cloneUrl !== null && branch !== null && baseBranch !== null && ownBranch !== null;
  return {
    ...rest,
    threadId,
    threadUpdatedAt,
    saidBefore,
    belongsTo,
    handover: readHandover(handover),
    repository: isWhole ? { id, path, cloneUrl, branch, baseBranch, isOwn: ownBranch } : null,
  };
}

/** `owner/repo#42`, `group/project!7`; with the platform's name where there is no repository. */
export function nameRun(
  facts: Pick<RunFacts, 'kind' | 'number' | 'repository'>,
  platform: { readonly name: string },
): string {
  return `${facts.repository?.path ?? platform.name}${formatReference(facts.kind, facts.number)}`;
}
