import type { JsonObject } from '@agent/context-inheritance';
import { z } from 'zod';
import type { RunFacts } from './run-parts.ts';

const factsSchema = z.object({
  kind: z.enum(['issue', 'pull request']),
  number: z.number(),
  title: z.string(),
  url: z.string(),
  locale: z.enum(['ja', 'en']),
  repository: z.string(),
  clone_url: z.string(),
  branch: z.string(),
  base_branch: z.string(),
});

/** The facts of a run as `metadata.json` keeps them. */
export function toFactsJson(facts: RunFacts): JsonObject {
  return {
    kind: facts.kind,
    number: facts.number,
    title: facts.title,
    url: facts.url,
    locale: facts.locale,
    repository: facts.repository,
    clone_url: facts.cloneUrl,
    branch: facts.branch,
    base_branch: facts.baseBranch,
  };
}

/** Reads them back. @throws when `metadata.json` was not written by this program */
export function parseFactsJson(json: JsonObject): RunFacts {
  const { clone_url: cloneUrl, base_branch: baseBranch, ...rest } = factsSchema.parse(json);
  return { ...rest, cloneUrl, baseBranch };
}
