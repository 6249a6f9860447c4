import * as z from 'zod';
import { PlatformError } from './platform-error.ts';
import type { TaskKey } from './task-key.ts';

const count = z.number().int().positive();
const name = z.string().regex(/^[^:\s]+$/u);
/** GitLab's own JSON has numbers where an address may also carry the project's path. */
const projectId = z.union([count.transform(String), name]);

const taskKeySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('github_issue'), owner: name, repo: name, number: count }),
  z.object({ type: z.literal('github_pull_request'), owner: name, repo: name, number: count }),
  z.object({ type: z.literal('gitlab_issue'), project_id: projectId, issue_iid: count }),
  z.object({ type: z.literal('gitlab_merge_request'), project_id: projectId, mr_iid: count }),
  z.object({ type: z.literal('custom'), platform: z.string(), project: z.string(), id: z.string() }),
]);

/** A task key as it stands in state files: the seeds' dictionary, in snake_case. */
export type TaskKeyJson = z.output<typeof taskKeySchema>;

/** The dictionary that the seeds call `TaskKey.to_dict`. */
export function toTaskKeyJson(key: TaskKey): TaskKeyJson {
  switch (key.type) {
    case 'gitlab_issue':
      return { type: key.type, project_id: key.projectId, issue_iid: key.issueIid };
    case 'gitlab_merge_request':
      return { type: key.type, project_id: key.projectId, mr_iid: key.mrIid };
    default:
      return { ...key };
  }
}

/**
 * Reads the dictionary back; unknown fields are ignored.
 *
 * @throws PlatformError `invalid` that names the field that is wrong.
 */
export function parseTaskKeyJson(json: unknown): TaskKey {
  const parsed = taskKeySchema.safeParse(json);
  if (!parsed.success) {
    throw new PlatformError(
      `This is not a task key: ${z.prettifyError(parsed.error)}. It looks like ` +
        '{"type":"github_issue","owner":"octocat","repo":"hello","number":42}.',
      { code: 'invalid', cause: parsed.error },
    );
  }
  const key = parsed.data;
  switch (key.type) {
    case 'gitlab_issue':
      return { type: key.type, projectId: key.project_id, issueIid: key.issue_iid };
    case 'gitlab_merge_request':
      return { type: key.type, projectId: key.project_id, mrIid: key.mr_iid };
    default:
      return key;
  }
}
