import * as z from 'zod';

// What this package reads of GitHub's answers: the fewest fields, everything else ignored.

/** An account. */
export const userSchema = z.object({
  id: z.number(),
  login: z.string(),
  type: z.string().nullish(),
});

const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'is not a time');

/** A comment of the conversation. */
export const commentSchema = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user: userSchema.nullish(),
  created_at: time,
  updated_at: time.nullish(),
  html_url: z.string().nullish(),
});

/** An issue, or a pull request as the issues API shows it. */
export const issueSchema = z.object({
  id: z.number(),
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  user: userSchema.nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])).nullish(),
  assignees: z.array(userSchema).nullish(),
  comments: z.number().nullish(),
  created_at: time,
  updated_at: time,
  html_url: z.string(),
  repository_url: z.string().nullish(),
  pull_request: z.object({}).nullish(),
});

const branchEndSchema = z.object({
  ref: z.string(),
  sha: z.string(),
  repo: z.object({ id: z.number(), full_name: z.string() }).nullish(),
});

/** A pull request as the pulls API shows it. */
export const pullSchema = z.object({
  number: z.number(),
  html_url: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  title: z.string(),
  body: z.string().nullish(),
  head: branchEndSchema,
  base: branchEndSchema,
});

/** A repository. */
export const repositorySchema = z.object({
  id: z.number(),
  full_name: z.string(),
  default_branch: z.string(),
  clone_url: z.string(),
  private: z.boolean(),
});

/** A branch that somebody moved. */
export const activitySchema = z.object({
  after: z.string(),
  timestamp: time,
  actor: userSchema.nullish(),
});

/** A git tree, of one directory or recursive. */
export const treeSchema = z.object({
  tree: z.array(z.object({ path: z.string(), type: z.string(), sha: z.string() })),
  truncated: z.boolean().nullish(),
});

/** One entry of the contents API. */
export const contentSchema = z.object({
  type: z.string(),
  sha: z.string(),
  size: z.number().nullish(),
  encoding: z.string().nullish(),
  content: z.string().nullish(),
});

/** A git blob. */
export const blobSchema = z.object({ content: z.string(), encoding: z.string() });

/** Rights of an account in a repository. */
export const permissionSchema = z.object({ permission: z.string(), user: userSchema.nullish() });

/** A branch, as the git references API shows it. */
export const refSchema = z.object({ ref: z.string(), object: z.object({ sha: z.string() }) });

/** Hits of the issue search. */
export const searchSchema = z.object({ items: z.array(issueSchema.extend({ score: z.number().nullish() })) });

/** See `userSchema`. */
export type GitHubUser = z.output<typeof userSchema>;
/** See `commentSchema`. */
export type GitHubComment = z.output<typeof commentSchema>;
/** See `issueSchema`. */
export type GitHubIssue = z.output<typeof issueSchema>;
/** See `pullSchema`. */
export type GitHubPull = z.output<typeof pullSchema>;
