import type { Project } from '../state/model.ts';
import type { Place } from '../views/user-view.ts';

/** A project as webhooks show it. */
export function showHookProject({ web }: Place, { id, path, defaultBranch }: Project) {
  return {
    id,
    name: path.split('/').at(-1),
    description: null,
    web_url: `${web}/${path}`,
    git_http_url: `${web}/${path}.git`,
    namespace: path.split('/').at(0),
    path_with_namespace: path,
    default_branch: defaultBranch,
  };
}

/** Webhooks carry no fractions of a second: `2024-05-01 00:00:00 UTC`. */
export function toHookTime(time: string): string {
  return `${time.slice(0, 19).replace('T', ' ')} UTC`;
}
