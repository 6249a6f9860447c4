import { posix } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { isAtProtected, resolveLink } from './protected-paths.ts';

/**
 * Lists the files of the same repository that a file of a CI names, as patterns: `include` of GitLab, also of a child pipeline and in
 * any of several documents, and actions (`uses: ./…`) of GitHub. A variable matches as `*`. Files of any project are listed: it can be
 * this one.
 *
 * @see https://docs.gitlab.com/ci/yaml/#includelocal
 * @example
 * listNamedFiles('job: { trigger: { include: ci/$NAME.yml } }'); // ['/ci/*.yml']
 */
export function listNamedFiles(text: string): readonly string[] {
  const named = new Set<string>();
  const seen = new Set<unknown>();
  const open = [...parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' })].map(toValue);
  for (const value of open) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [key, inner] of Object.entries(value)) {
      const found = key === 'include' ? listIncluded(inner) : key === 'uses' ? listActions(inner) : [];
      for (const pattern of found) named.add(pattern);
      open.push(inner);
    }
  }
  return [...named];
}

function toValue(document: {
  readonly toJS: (options: { readonly maxAliasCount: number }) => unknown;
}): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return null;
  }
}

function listIncluded(include: unknown): readonly string[] {
  return [include].flat(3).flatMap((entry: unknown) => {
    if (typeof entry === 'string') return toIncluded(entry);
    if (typeof entry !== 'object' || entry === null) return [];
    const { local = null, project = null, file = null } = entry as Readonly<Record<string, unknown>>;
    const files = [local, project === null ? null : file].flat(3);
    return files.flatMap((path) => (typeof path === 'string' ? toIncluded(path) : []));
  });
}

const variable = /\$\[\[[^\]]{0,200}\]\]|\$\{[^}]{0,200}\}|\$\w{1,200}/g;

function toIncluded(path: string): readonly string[] {
  if (/^[a-z][a-z0-9+.-]{0,20}:\/\//iu.test(path)) return [];
  const pattern = path.replace(/^\/+/, '').replaceAll(variable, '*');
  // GitLab includes no other files, and `*` alone would match all.
  return [`/${pattern.replace(/(^|\/)\*$/, '$1*.y*ml')}`];
}

/** An action at the root of a repository is held by its name. */
function listActions(uses: unknown): readonly string[] {
  if (typeof uses !== 'string' || !uses.startsWith('./')) return [];
  const path = posix.normalize(uses).replace(/\/$/, '');
  return path === '.' || path.startsWith('..') ? [] : [`/${path}`, `/${path}/**`];
}

/** More links are not followed. */
const maxLinks = 1_000;

/**
 * Lists what links at protected paths lead to, as patterns, from link to link: a change there is a change of the protected path.
 *
 * @param links targets of all links of a tree, by path; a target is null if it cannot be read
 */
export async function listLinkedPaths(
  links: ReadonlyMap<string, () => Promise<string | null>>,
): Promise<readonly string[]> {
  const linked = new Set<string>();
  const open = [...links.keys()].filter(isAtProtected);
  for (const link of open) {
    if (open.length > maxLinks) break;
    const target = resolveLink(link, (await links.get(link)?.()) ?? null);
    if (target === null || linked.has(target)) continue;
    linked.add(target);
    open.push(...[...links.keys()].filter((path) => path === target || path.startsWith(`${target}/`)));
    // The path leads through a link to a directory.
    const through = [...links.keys()].filter((path) => target.startsWith(`${path}/`));
    for (const path of through) {
      const directory = resolveLink(path, (await links.get(path)?.()) ?? null);
      if (directory === null) continue;
      const whole = posix.join(directory, target.slice(path.length + 1));
      linked.add(whole);
      open.push(path, ...[...links.keys()].filter((other) => other === whole));
    }
  }
  return [...linked].flatMap((path) => [`/${path}`, `/${path}/**`]);
}
