/** What a request of the daemon is for, the same on every forge. */
export type Route =
  | 'task-list'
  | 'thread'
  | 'comment-list'
  | 'comment'
  | 'comment-write'
  | 'label'
  | 'permission'
  | 'change-request'
  | 'reaction'
  | 'git'
  | 'model'
  | 'other';

/** A request as it comes to a proxy. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path with query, decoded. */
  readonly path: string;
  readonly body: string;
}

/** A request that matches has this route; the first that matches counts. */
const routes: readonly (readonly [Route, RegExp])[] = [
  ['git', /\.git\//],
  ['model', /^\w+ \/v1\//],
  ['reaction', /\/(?:reactions|award_emoji)\b/],
  ['permission', /\/(?:collaborators|members)\//],
  ['label', /\/(?:labels\b|resource_label_events|issues\/\d+\/(?:events|timeline))/],
  ['comment-list', /^GET .*\/(?:comments|notes)(?:\?|$)/],
  ['comment', /^GET .*\/(?:comments|notes)\/\d+$/],
  ['comment-write', /^(?:POST|PUT|PATCH|DELETE) .*\/(?:comments|notes)(?:\/\d+)?$/],
  ['thread', /^GET .*\/(?:issues|pulls|merge_requests)\/\d+$/],
  ['change-request', /\/(?:pulls|merge_requests)\b/],
  ['task-list', /^GET .*(?:\/issues\?|\/search\/)/],
];

/** GitLab changes labels by an edit of the thread. */
const labelEdit = /"(?:add|remove)_labels"|(?:^|&)(?:add|remove)_labels=/;

export function nameRoute({ method, path, body }: ProxiedRequest): Route {
  if (method === 'PUT' && labelEdit.test(body)) return 'label';
  const line = `${method} ${path}`;
  if (/^GET .*\/merge_requests\?.*\blabels=/.test(line)) return 'task-list';
  return routes.find(([, pattern]) => pattern.test(line))?.[0] ?? 'other';
}

/** Checks whether a request may change something. */
export function isWrite({ method }: ProxiedRequest): boolean {
  return !['GET', 'HEAD'].includes(method);
}
