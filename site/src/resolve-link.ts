import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Page } from './list-pages.ts';
import type { LinkTarget } from './rewrite-links.ts';

/** What a page's links can lead to. */
export interface LinkPlaces {
  /** The folder of the repository. */
  readonly root: string;
  readonly pages: readonly Page[];
  /** Address under which a forge shows files of the repository, without `/` at its end; null where there is none yet. */
  readonly sources: string | null;
}

/**
 * Makes the targets of a page's links: another page's place in the site, a source on the forge, or nothing but the words where
 * no forge has the source. Throws for a path that is not in the repository.
 */
export function createLinkTarget(page: Page, places: LinkPlaces): LinkTarget {
  const routes = new Map(places.pages.map(({ source, route }) => [source, route]));
  return ({ url, kind }) => {
    if (/^(?:[a-z][a-z+.-]*:|#|\/\/)/i.test(url)) return url;
    const [path = '', fragment] = url.split('#');
    const source = posix.normalize(posix.join(posix.dirname(page.source), decodeURI(path)));
    const hash = fragment === undefined ? '' : `#${fragment}`;
    const route = routes.get(source) ?? routes.get(`${source.replace(/\/$/, '')}/README.md`);
    if (route !== undefined) return `/${route}${hash}`;
    if (source.startsWith('../') || !existsSync(join(places.root, source)))
      throw new Error(`${page.source} links ${url}, which is not there`);
    if (kind === 'image') return posix.relative(posix.dirname(page.route), `files/${source}`);
    return places.sources === null ? null : `${places.sources}/${source}${hash}`;
  };
}
