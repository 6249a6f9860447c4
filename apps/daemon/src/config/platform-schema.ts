import { customPlatformShape } from '@agent/platforms/custom';
import { z } from 'zod';
import { httpUrl, seconds, variableName } from './scalars.ts';

const label = (name: string) => z.string().trim().min(1).max(50).default(name);

/**
 * Labels of one platform; together they are the states of a task.
 *
 * @see docs/requirements.md RL-1
 */
const labels = {
  bot_label: label('coding agent'),
  processing_label: label('coding agent processing'),
  done_label: label('coding agent done'),
  failed_label: label('coding agent failed'),
  paused_label: label('coding agent paused'),
  stopped_label: label('coding agent stopped'),
};

const account = {
  username: z.string().min(1).nullable().default(null),
  bot_name: z.string().min(1).nullable().default(null),
  timeout_seconds: seconds.default(30),
  write_spacing_ms: z.number().int().min(0).max(60_000).default(1_000),
};

/**
 * A platform's section. Platforms take labels for one that differ in case alone; two states with one label would make the
 * daemon begin the task again that it has just ended.
 */
function withDifferentLabels<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape).superRefine((platform, context) => {
    const seen = new Map<string, string>();
    for (const key of Object.keys(labels)) {
      const name = String((platform as Record<string, unknown>)[key]);
      const folded = name.toLowerCase();
      const other = seen.get(folded);
      if (other !== undefined) {
        const message = `is the same label as ${other} ("${name}"). Give each state a label of its own; case does not count.`;
        context.addIssue({ code: 'custom', path: [key], message });
      }
      seen.set(folded, other ?? key);
    }
  });
}

const github = withDifferentLabels({
  base_url: httpUrl.default('https://api.github.com'),
  token_env: variableName.default('GITHUB_TOKEN'),
  repositories: z
    .array(z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'must look like owner/repository, without a host'))
    .min(1, 'name at least one repository, as owner/repository'),
  ...account,
  ...labels,
});

const gitlab = withDifferentLabels({
  base_url: httpUrl.default('https://gitlab.com'),
  token_env: variableName.default('GITLAB_TOKEN'),
  projects: z
    .array(z.string().regex(/^[\w.-]+(\/[\w.-]+)+$/, 'must look like group/project, without a host'))
    .min(1, 'name at least one project, as group/project'),
  /** What becomes of confidential issues in projects that others read, too. */
  confidential_issues: z.enum(['refuse', 'allow']).default('refuse'),
  ...account,
  ...labels,
});

const custom = withDifferentLabels({ ...customPlatformShape, ...labels });

/** Section `platforms`: GitHub, GitLab, and any number of others by the names that their owners give them. */
export const platformsSchema = z
  .object({ github: github.optional(), gitlab: gitlab.optional() })
  .catchall(custom)
  .refine((platforms) => Object.values(platforms).some((platform) => platform !== undefined), {
    error: 'name at least one platform: github, gitlab, or one of your own with its module',
  })
  .transform(({ github: gitHub = null, gitlab: gitLab = null, ...others }) => ({
    github: gitHub,
    gitlab: gitLab,
    custom: others as Readonly<Record<string, CustomPlatformConfig>>,
  }));

export type GitHubConfig = z.infer<typeof github>;
export type GitLabConfig = z.infer<typeof gitlab>;
export type CustomPlatformConfig = z.infer<typeof custom>;
export type PlatformLabels = Pick<GitHubConfig, keyof typeof labels>;
