import { MergeRequests } from '@gitbeaker/rest';
import * as z from 'zod';
import type { LineSubject } from '../model.ts';
import type { CallOptions } from '../ports.ts';
import type { GitLabCall } from './gitlab-client.ts';
import { type GitLabThreadContext, toThreadRoute } from './gitlab-context.ts';

const diffSchema = z.object({ old_path: z.string(), new_path: z.string(), diff: z.string().nullish() });

/** Files that the newest version of a merge request changes, with their diffs. A diff that is too large is empty. */
export type GitLabDiffs = readonly z.output<typeof diffSchema>[];

/** @see https://docs.gitlab.com/api/merge_requests/#list-merge-request-diffs */
export function listDiffs(
  context: GitLabThreadContext,
  { impatient = false, signal }: CallOptions & Pick<GitLabCall, 'impatient'>,
): Promise<GitLabDiffs> {
  const { client, projectId, iid, name, project } = context;
  const call = {
    doing: `read the diff of ${name}`,
    repository: project,
    route: `GET ${toThreadRoute(context)}/diffs`,
    impatient,
    signal,
  };
  return client.askAll(
    { ...call, send: (bound, page) => new MergeRequests(bound).allDiffs(projectId, iid, page) },
    diffSchema,
  );
}

/** Finds the part of a diff that ends with the line of a comment; null where the diff does not show it. */
export function findHunk(
  diffs: GitLabDiffs,
  { path, side, lastLine }: Pick<LineSubject, 'path' | 'side' | 'lastLine'>,
): string | null {
  const file = diffs.find((one) => (side === 'old' ? one.old_path : one.new_path) === path);
  if (lastLine === null || file?.diff == null) return null;
  let hunk: string[] = [];
  let numbers = { old: 0, new: 0 };
  for (const line of file.diff.split('\n')) {
    const [, oldStart, newStart] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/u.exec(line) ?? [];
    if (oldStart !== undefined) {
      hunk = [];
      numbers = { old: Number(oldStart) - 1, new: Number(newStart) - 1 };
    } else {
      if (/^[ -]/u.test(line)) numbers.old += 1;
      if (/^[ +]/u.test(line)) numbers.new += 1;
    }
    hunk.push(line);
    const isOnSide = side === 'old' ? /^[ -]/u.test(line) : /^[ +]/u.test(line);
    if (isOnSide && numbers[side] === lastLine) return hunk.join('\n');
  }
  return null;
}
