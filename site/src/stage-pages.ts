import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from './list-pages.ts';
import { createLinkTarget, type LinkPlaces } from './resolve-link.ts';
import { rewriteLinks } from './rewrite-links.ts';

/** A page as the site is built from it. */
export interface StagedPage {
  readonly route: string;
  readonly text: string;
}

/** Reads every page with its links as the site has them, and copies the pictures that they show. */
export function readPages(folder: string, places: LinkPlaces): readonly StagedPage[] {
  return places.pages.map((page) => ({ route: page.route, text: readPage(folder, page, places) }));
}

/** Writes pages into the folder that the site is built from. */
export function writePages(folder: string, pages: readonly StagedPage[]): void {
  for (const { route, text } of pages) {
    mkdirSync(dirname(join(folder, route)), { recursive: true });
    writeFileSync(join(folder, route), text);
  }
}

/** Empties the folder that the site is built from. */
export function emptyFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

function readPage(folder: string, page: Page, places: LinkPlaces): string {
  const target = createLinkTarget(page, places);
  const text = withoutComments(readFileSync(join(places.root, page.source), 'utf8'));
  return rewriteLinks(text, (link) => {
    const wanted = target(link);
    if (link.kind === 'image' && wanted !== null && wanted !== link.url) {
      const picture = join(dirname(page.source), link.url);
      cpSync(join(places.root, picture), join(folder, 'files', picture));
    }
    return wanted;
  });
}

/** Leaves out what a reader of the page does not see. */
function withoutComments(markdown: string): string {
  return markdown.replaceAll(/^<!--.*-->\n?/gm, '');
}
