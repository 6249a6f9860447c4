import * as z from 'zod';

/** An account; GitLab calls its login `username`. What this package reads of an answer are the fewest fields. */
export const userSchema = z.object({
  id: z.number(),
  username: z.string(),
  bot: z.boolean().nullish(),
});

const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'is not a time');

/** A note of an issue or merge request. */
export const noteSchema = z.object({
  id: z.number(),
  body: z.string().nullish(),
  author: userSchema.nullish(),
  created_at: time,
  updated_at: time.nullish(),
  /** GitLab's own note of an event. */
  system: z.boolean().nullish(),
  internal: z.boolean().nullish(),
  /** What `internal` was called before 15.5. */
  confidential: z.boolean().nullish(),
});

/** An issue, or what a merge request has in common with one. */
export const issueSchema = z.object({
  id: z.number(),
  iid: z.number(),
  project_id: z.number(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  author: userSchema.nullish(),
  labels: z.array(z.string()).nullish(),
  assignees: z.array(userSchema).nullish(),
  user_notes_count: z.number().nullish(),
  confidential: z.boolean().nullish(),
  created_at: time,
  updated_at: time,
  web_url: z.string(),
});

/** A merge request; its number is its `iid`. */
export const mergeRequestSchema = issueSchema.extend({
  draft: z.boolean().nullish(),
  /** What `draft` was called before 14.0. */
  work_in_progress: z.boolean().nullish(),
  source_branch: z.string(),
  target_branch: z.string(),
  /** Null when the fork was deleted. */
  source_project_id: z.number().nullish(),
  sha: z.string().nullish(),
});

/** A project, as far as a run needs it. */
export const projectSchema = z.object({
  id: z.number(),
  path_with_namespace: z.string(),
  default_branch: z.string().nullish(),
  empty_repo: z.boolean().nullish(),
  http_url_to_repo: z.string().nullish(),
  visibility: z.string().nullish(),
  web_url: z.string(),
});

/** A file or directory of a tree. */
export const treeEntrySchema = z.object({ path: z.string(), type: z.string() });

/** A file with its content. */
export const fileSchema = z.object({ content: z.string(), encoding: z.string() });

/** A branch and its newest commit. */
export const branchSchema = z.object({ name: z.string(), commit: z.object({ id: z.string() }) });

/** A label of a project or of the groups above it. */
export const labelSchema = z.object({ name: z.string() });

/** A label that was put on a thread, or taken away; without the label once that was deleted. */
export const labelEventSchema = z.object({
  id: z.number(),
  user: userSchema.nullish(),
  created_at: time,
  action: z.string(),
  label: labelSchema.nullish(),
});

/** Version of what a merge request proposes. */
export const versionSchema = z.object({ id: z.number(), created_at: time });

/** A member, and the level of access. */
export const memberSchema = z.object({
  id: z.number(),
  access_level: z.number(),
  state: z.string().nullish(),
});

export type GitLabUser = z.output<typeof userSchema>;
export type GitLabNote = z.output<typeof noteSchema>;
export type GitLabIssue = z.output<typeof issueSchema>;
export type GitLabMergeRequest = z.output<typeof mergeRequestSchema>;
export type GitLabProject = z.output<typeof projectSchema>;
