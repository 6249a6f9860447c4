import type { Project, Thread } from '../state/model.ts';
import type { Place } from '../views/user-view.ts';

/** @see https://docs.gitlab.com/api/projects/#project-visibility-level */
const visibilityLevels = { private: 0, internal: 10, public: 20 } as const;

/** A project as webhooks show it. */
export function showHookProject({ web }: Place, { id, path, defaultBranch, visibility }: Project) {
  const ssh = `git@${new URL(web).hostname}:${path}.git`;
  const http = `${web}/${path}.git`;
  return {
    id,
    name: path.split('/').at(-1),
    description: null,
    web_url: `${web}/${path}`,
    avatar_url: null,
    git_ssh_url: ssh,
    git_http_url: http,
    namespace: path.split('/').at(0),
    visibility_level: visibilityLevels[visibility],
    path_with_namespace: path,
    default_branch: defaultBranch,
    ci_config_path: null,
    homepage: `${web}/${path}`,
    url: http,
    ssh_url: ssh,
    http_url: http,
  };
}

/** The repository of a project, as webhooks name it beside the project. */
export function showHookRepository({ web }: Place, { path }: Project) {
  return {
    name: path.split('/').at(-1),
    url: `${web}/${path}.git`,
    description: null,
    homepage: `${web}/${path}`,
  };
}

/** Labels of a thread as webhooks show them. */
export function showHookLabels({ labels, project, createdAt }: Thread) {
  return [...labels.values()].map(({ id, name, color, description }) => ({
    id,
    title: name,
    color,
    project_id: project.id,
    created_at: createdAt,
    updated_at: createdAt,
    template: false,
    description,
    type: 'ProjectLabel',
    group_id: null,
  }));
}

/** Webhooks carry no fractions of a second: `2024-05-01 00:00:00 UTC`. */
export function toHookTime(time: string): string {
  return `${time.slice(0, 19).replace('T', ' ')} UTC`;
}
