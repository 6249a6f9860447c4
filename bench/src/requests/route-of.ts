/** What varies in an address, and the placeholder that stands for it; the first that fits is taken. */
const placeholders: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/^\/[^/]+\/[^/]+\.git(?=\/)/, '/{owner}/{repo}.git'],
  [/^\/repos\/[^/]+\/[^/]+(?=\/|$)/, '/repos/{owner}/{repo}'],
  [/\/(issues|pulls|comments)\/\d+(?=\/|$)/g, '/$1/{number}'],
  [/\/labels\/[^/]+$/, '/labels/{name}'],
  [/\/matching-refs\/.+$/, '/matching-refs/{ref}'],
  [/\/collaborators\/[^/]+(?=\/|$)/, '/collaborators/{username}'],
  [/\/contents\/.+$/, '/contents/{path}'],
];

/** A request as its route: no names, no numbers, and of the query only which git service is meant. */
export function routeOf({ method, path }: { readonly method: string; readonly path: string }): string {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const route = placeholders.reduce(
    (rest, [pattern, placeholder]) => rest.replace(pattern, placeholder),
    pathname,
  );
  const service = searchParams.get('service');
  return `${method} ${route}${service === null ? '' : `?service=${service}`}`;
}

/** Whether a request is git's own and none of the REST API. */
export function isGitRequest({ path }: { readonly path: string }): boolean {
  return /^\/[^/]+\/[^/]+\.git\//.test(path);
}

/** Whether a request looks for tasks. */
export function isTaskListing(request: { readonly method: string; readonly path: string }): boolean {
  return routeOf(request) === 'GET /repos/{owner}/{repo}/issues';
}
