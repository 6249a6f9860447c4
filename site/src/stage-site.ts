import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatApiPage, readEntries } from './api/format-api-page.ts';
import { listApiPackages } from './api/list-entries.ts';
import { describeConfig } from './configuration/describe-config.ts';
import { formatReference } from './configuration/format-reference.ts';
import { listPages } from './list-pages.ts';
import { makeSections } from './navigation.ts';
import { readTitle } from './read-title.ts';
import { createLinkTarget, type LinkPlaces } from './resolve-link.ts';
import { rewriteLinks } from './rewrite-links.ts';
import { emptyFolder, readPages, type StagedPage, writePages } from './stage-pages.ts';
import { writeLlms } from './write-llms.ts';

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
  const places = { root, pages: listPages(root), sources };
  const pages = [...readPages(folder, places), makeReference(places), ...makeApiPages(root)];
  writePages(folder, pages);
  const sections = makeSections(pages.map(({ route, text }) => ({ route, title: readTitle(text) })));
  writeFileSync(join(folder, 'site.json'), JSON.stringify({ base, sections }));
  mkdirSync(join(folder, 'public'));
  writeLlms(join(folder, 'public'), base, { sections, pages });
}

/** The page of all settings, whose links are those of the README that it is made from. */
function makeReference(places: LinkPlaces): StagedPage {
  const source = 'apps/daemon/README.md';
  const readme = readFileSync(join(places.root, source), 'utf8');
  const page = { source, route: 'reference/configuration.md' };
  const text = formatReference(describeConfig(readme), readme);
  return { route: page.route, text: rewriteLinks(text, createLinkTarget(page, places)) };
}

/** One page for each published library. */
function makeApiPages(root: string): readonly StagedPage[] {
  return listApiPackages(root).map((library) => ({
    route: `api/${library.folder.replace(/^packages\//, '')}.md`,
    text: formatApiPage(library, readEntries(root, library)),
  }));
}
