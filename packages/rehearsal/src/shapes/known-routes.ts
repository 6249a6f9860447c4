import servers from './fixtures/model-servers.json' with { type: 'json' };
import routes from './fixtures/routes.json' with { type: 'json' };

/** Service that a request is for, as its address shows. */
export type Service = 'github' | 'gitlab' | 'discord' | 'model' | 'other';

/** Address of a request with placeholders. A route of `?` is documented nowhere here. */
export interface KnownRoute {
  readonly service: Service;
  /** `GET /repos/{owner}/{repo}` */
  readonly route: string;
}

/** Paths of model servers, behind any base URL. */
const modelPaths = [
  ...['/chat/completions', '/responses', '/messages', '/api/v0/models', '/models', '/completions'],
  ...['/api/show', '/api/tags', '/props'],
];
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Selections by which the queries of the daemon differ; the first that occurs names the query. */
const selections = [
  'deleteIssue',
  'resolveReviewThread',
  'reviewThreads',
  'isInMergeQueue',
  'userContentEdits',
  'comments',
  '__typename',
];

/** Finds the route of an address. Names, numbers, hosts and unknown paths do not remain. */
export function findKnownRoute(method: string, url: URL): KnownRoute {
  const verb = methods.has(method) ? method : '?';
  const place = url.pathname.indexOf('/api/v4/');
  if (place !== -1) {
    const below = url.pathname.slice(place + '/api/v4'.length);
    return { service: 'gitlab', route: `${verb} ${findPath(routes.gitlab, below) ?? '?'}` };
  }
  const discord = /\/api\/v10(?=\/)/.exec(url.pathname);
  if (discord !== null) {
    const below = url.pathname.slice(discord.index + discord[0].length);
    return { service: 'discord', route: `${verb} ${findPath(routes.discord, below) ?? '?'}` };
  }
  const path = url.pathname.replace(/^\/api(?:\/v3(?=\/)|(?=\/graphql$))/, '');
  const named = path.replace(/^\/repositories\/\d+(?=\/|$)/, '/repos/owner/name');
  const found = findPath(routes.github, named);
  if (found !== null) return { service: 'github', route: `${verb} ${found}` };
  const model = modelPaths.find((end) => path.endsWith(end));
  if (model !== undefined) return { service: 'model', route: `${verb} ${model}` };
  const isGitHub = named.startsWith('/repos/') || url.hostname === 'api.github.com';
  return { service: isGitHub ? 'github' : 'other', route: `${verb} ?` };
}

/** Name of a GraphQL query by its selection, to be appended to the route. Empty for any other request. */
export function nameQuery(route: string, body: string | null): string {
  if (route !== 'POST /graphql' || body === null) return '';
  const [, query = ''] = /"query"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body) ?? [];
  return ` ${selections.find((name) => new RegExp(`\\b${name}\\b`).test(query)) ?? '?'}`;
}

/** Finds the vendor of a model server by its public host, or by the usual port of a local one. Null for any other. */
export function findModelServer({ hostname, port }: URL): string | null {
  const host = hostname === '127.0.0.1' ? 'localhost' : hostname;
  const address = port === '' ? host : `${host}:${port}`;
  return servers.find(({ hosts }) => new RegExp(`^${hosts}$`, 'i').test(address))?.id ?? null;
}

function findPath(templates: readonly string[], path: string): string | null {
  const segments = path.split('/');
  while (segments.at(-1) === '') segments.pop();
  return templates.find((template) => matches(template.split('/'), segments)) ?? null;
}

function matches(parts: readonly string[], segments: readonly string[]): boolean {
  const isOpen = parts.at(-1)?.endsWith('+}') === true;
  if (isOpen ? segments.length < parts.length : segments.length !== parts.length) return false;
  return parts.every((part, index) => part.startsWith('{') || part === segments[index]);
}
