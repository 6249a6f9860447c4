/** Purpose that a permission or an event of an App serves. */
export type AppPurpose =
  | 'branches'
  | 'threads'
  | 'drafts'
  | 'checks'
  | 'actions'
  | 'reruns'
  | 'workflows'
  | 'hearing';

/** Something that an App needs, and for what. */
export interface AppNeed {
  /** By its name in the API: `pull_requests`, `issue_comment`. */
  readonly name: string;
  readonly purpose: AppPurpose;
  /** False where an agent does its work without it. */
  readonly isRequired: boolean;
}

/** A permission, and the level of it. */
export interface PermissionNeed extends AppNeed {
  readonly level: 'read' | 'write';
  /** True for a permission that an operator has to ask for: it lets a push change what the repository's CI runs. */
  readonly isElevated?: boolean;
}

/**
 * Permissions that an agent needs of a repository.
 *
 * @see https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps
 */
export const appPermissions: readonly PermissionNeed[] = [
  { name: 'contents', level: 'write', purpose: 'branches', isRequired: true },
  { name: 'issues', level: 'write', purpose: 'threads', isRequired: true },
  { name: 'pull_requests', level: 'write', purpose: 'drafts', isRequired: true },
  { name: 'checks', level: 'read', purpose: 'checks', isRequired: false },
  { name: 'statuses', level: 'read', purpose: 'checks', isRequired: false },
  { name: 'actions', level: 'read', purpose: 'actions', isRequired: false },
  { name: 'actions', level: 'write', purpose: 'reruns', isRequired: false, isElevated: true },
  { name: 'workflows', level: 'write', purpose: 'workflows', isRequired: false, isElevated: true },
];

/** Events whose webhooks let an agent hear at once what it else polls for. */
export const appEvents: readonly AppNeed[] = [
  'issues',
  'issue_comment',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
  'check_run',
  'check_suite',
  'workflow_run',
].map((name) => ({ name, purpose: 'hearing', isRequired: false }));

const levels: Readonly<Record<string, number>> = { read: 1, write: 2, admin: 3 };

const rank = (level: string | undefined) => levels[level ?? ''] ?? 0;

/** Finds the permissions that are missing among those that were given, without the elevated ones. */
export function findMissingPermissions(given: Readonly<Record<string, string>>): readonly PermissionNeed[] {
  return appPermissions.filter(
    ({ name, level, isElevated = false }) => !isElevated && rank(given[name]) < rank(level),
  );
}

/** Chooses what the token of a run needs of the permissions that an installation has. */
export function pickPermissions(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const usable = appPermissions.filter(({ name, level }) => rank(given[name]) >= rank(level));
  // Of two levels of one permission, the higher one comes last.
  return { metadata: 'read', ...Object.fromEntries(usable.map(({ name, level }) => [name, level])) };
}

/** Options of `formatAppManifest`. */
export interface AppManifestOptions {
  /** Name of the App, unique on its server; `@name`, in small letters and with hyphens, is how people mention it. */
  readonly name: string;
  /** Page that the App calls its own. */
  readonly url: string;
  /** Page that GitHub leads to when the App is made, with a code that nobody needs who makes a key there. */
  readonly redirectUrl: string;
  /** Address that receives its webhooks; null to have it poll. */
  readonly webhookUrl: string | null;
  /** True to ask for `workflows: write` and `actions: write`, too. Default false. */
  readonly isElevated?: boolean | undefined;
}

/**
 * Composes the manifest that GitHub makes an App of: private, and with no more than an agent needs.
 *
 * @example
 * formatAppManifest({ name: 'Acme Agent', url: 'https://github.com/acme', redirectUrl: 'https://github.com/settings/apps', webhookUrl: null });
 *
 * @see https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export function formatAppManifest({
  name,
  url,
  redirectUrl,
  webhookUrl,
  isElevated = false,
}: AppManifestOptions): string {
  const asked = appPermissions.filter((need) => isElevated || need.isElevated !== true);
  const manifest = {
    name,
    url,
    redirect_url: redirectUrl,
    public: false,
    default_permissions: {
      metadata: 'read',
      ...Object.fromEntries(asked.map((need) => [need.name, need.level])),
    },
    ...(webhookUrl === null
      ? {}
      : {
          hook_attributes: { url: webhookUrl, active: true },
          default_events: appEvents.map((event) => event.name),
        }),
  };
  return JSON.stringify(manifest, null, 2);
}
