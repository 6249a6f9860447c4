import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listPages } from './list-pages.ts';
import { makeSections } from './navigation.ts';
import { readTitle } from './read-title.ts';
import { emptyFolder, readPages, writePages } from './stage-pages.ts';

/** Where the site will stand. */
export interface SitePlace {
  /** The folder of the repository. */
  readonly root: string;
  /** Path below which the site is served, with `/` at both ends. */
  readonly base: string;
  /** Address under which a forge shows files of the repository; null where there is none yet. */
  readonly sources: string | null;
}

/** Prepares everything that VitePress builds the site from, in `.pages`: the pages, and what its configuration reads. */
export function stageSite(folder: string, { root, base, sources }: SitePlace): void {
  emptyFolder(folder);
  const pages = readPages(folder, { root, pages: listPages(root), sources });
  writePages(folder, pages);
  const sections = makeSections(pages.map(({ route, text }) => ({ route, title: readTitle(text) })));
  writeFileSync(join(folder, 'site.json'), JSON.stringify({ base, sections }));
}
