import type { ProjectSchema } from '@gitbeaker/core';
import { levelOf, listMembers, namespaceOf } from '../state/access.ts';
import type { Project, State, User } from '../state/model.ts';
import type { Vendor } from '../vendor.ts';
import type { Place } from './user-view.ts';

interface Access {
  readonly access_level: number;
  readonly notification_level: number;
}

type ShownProject = Vendor<
  Pick<
    ProjectSchema,
    | 'id'
    | 'name'
    | 'path'
    | 'web_url'
    | 'description'
    | 'name_with_namespace'
    | 'path_with_namespace'
    | 'created_at'
    | 'ssh_url_to_repo'
    | 'http_url_to_repo'
    | 'last_activity_at'
    | 'visibility'
    | 'archived'
    | 'empty_repo'
    | 'issues_enabled'
    | 'merge_requests_enabled'
    | 'creator_id'
    | 'open_issues_count'
    | 'merge_method'
    | 'only_allow_merge_if_pipeline_succeeds'
  >,
  {
    readonly default_branch: string | null;
    readonly namespace: {
      readonly kind: 'group' | 'user';
      readonly full_path: string;
      readonly path: string;
      readonly name: string;
    };
    readonly permissions: { readonly project_access: Access | null; readonly group_access: Access | null };
    readonly forked_from_project?: { readonly id: number; readonly path_with_namespace: string };
    readonly _links: { readonly self: string };
  }
>;

/** A project. `default_branch` is null while its repository is empty. @see https://docs.gitlab.com/api/projects/ */
export function showProject(
  place: Place,
  project: Project,
  facts: { readonly isEmpty: boolean; readonly viewer: User | null },
): ShownProject {
  const { web, state } = place;
  const { id, path, forkedFrom } = project;
  const namespace = namespaceOf(project);
  const name = path.slice(namespace.length + 1);
  const { host, hostname } = new URL(web);
  return {
    id,
    description: null,
    name,
    name_with_namespace: path.split('/').join(' / '),
    path: name,
    path_with_namespace: path,
    created_at: project.createdAt,
    default_branch: facts.isEmpty ? null : project.defaultBranch,
    ssh_url_to_repo: `git@${hostname}:${path}.git`,
    http_url_to_repo: `${web.replace(/^(https?:\/\/)[^/]+/, `$1${host}`)}/${path}.git`,
    web_url: `${web}/${path}`,
    last_activity_at: project.lastActivityAt,
    namespace: {
      kind: state.users.has(namespace.toLowerCase()) ? 'user' : 'group',
      full_path: namespace,
      path: namespace.split('/').at(-1) ?? namespace,
      name: namespace.split('/').at(-1) ?? namespace,
    },
    visibility: project.visibility,
    archived: project.archived,
    empty_repo: facts.isEmpty,
    issues_enabled: project.issuesEnabled,
    merge_requests_enabled: project.mergeRequestsEnabled,
    open_issues_count: [...project.issues.values()].filter((thread) => thread.state === 'opened').length,
    creator_id: project.creator.id,
    merge_method: 'merge',
    only_allow_merge_if_pipeline_succeeds: project.ci.isRequired,
    permissions: showPermissions(state, project, facts.viewer),
    ...(forkedFrom
      ? { forked_from_project: { id: forkedFrom.id, path_with_namespace: forkedFrom.path } }
      : {}),
    _links: { self: `${web}/api/v4/projects/${id}` },
  };
}

/** Shows what the asker may do: in the project itself, and from the groups above; each null without a membership. */
function showPermissions(state: State, project: Project, viewer: User | null): ShownProject['permissions'] {
  const access = (level: number): Access | null =>
    level > 0 ? { access_level: level, notification_level: 3 } : null;
  const key = viewer?.username.toLowerCase();
  const own =
    listMembers(state, project, { inherited: false }).find(({ username }) => username === key)?.level ?? 0;
  const all = levelOf(state, project, viewer);
  return {
    project_access: access(own),
    group_access: all > own || (all > 0 && own === 0) ? access(all) : null,
  };
}
