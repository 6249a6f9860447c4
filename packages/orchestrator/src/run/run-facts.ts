import type { JsonObject } from '@agent/run-store';
import { z } from 'zod';
import { formatReference } from './change-request-words.ts';
import type { Handover } from './check-handover.ts';
import type { RunFacts } from './run.ts';

const factsSchema = z.object({
  kind: z.enum(['issue', 'pull request', 'merge request']),
  number: z.number(),
  title: z.string(),
  url: z.string(),
  locale: z.enum(['ja', 'en']),
  thread_updated_at: z.string().nullable().default(null),
  assigned: z.boolean().default(false),
  handover: z
    .object({
      by: z.object({ id: z.string(), login: z.string(), kind: z.enum(['person', 'bot']) }),
      at: z.string(),
      head: z.string().nullable(),
      comment_id: z.string().nullable(),
    })
    .nullable()
    .default(null),
  repository: z.string().nullable(),
  repository_id: z.string().nullable().default(null),
  clone_url: z.string().nullable(),
  branch: z.string().nullable(),
  base_branch: z.string().nullable(),
});

/** The facts of a run as `metadata.json` keeps them. */
export function toFactsJson(facts: RunFacts): JsonObject {
  return {
    kind: facts.kind,
    number: facts.number,
    title: facts.title,
    url: facts.url,
    locale: facts.locale,
    thread_updated_at: facts.threadUpdatedAt,
    assigned: facts.assigned,
    handover: toHandoverJson(facts.handover),
    repository: facts.repository?.path ?? null,
    repository_id: facts.repository?.id ?? null,
    clone_url: facts.repository?.cloneUrl ?? null,
    branch: facts.repository?.branch ?? null,
    base_branch: facts.repository?.baseBranch ?? null,
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
    thread_updated_at: threadUpdatedAt,
    handover,
    ...rest
  } = factsSchema.parse(json);
  const isWhole = path !== null && cloneUrl !== null && branch !== null && baseBranch !== null;
  return {
    ...rest,
    threadUpdatedAt,
    handover: readHandover(handover),
    repository: isWhole ? { id, path, cloneUrl, branch, baseBranch } : null,
  };
}

/** `owner/repo#42`, `group/project!7`; with the platform's name where there is no repository. */
export function nameRun(
  facts: Pick<RunFacts, 'kind' | 'number' | 'repository'>,
  platform: { readonly name: string },
): string {
  return `${facts.repository?.path ?? platform.name}${formatReference(facts.kind, facts.number)}`;
}
