import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFetched, listReferences, readAnchors } from './read-html.ts';

/** Finds what is wrong with a built site: dead links, dead anchors, and anything that a browser would fetch from elsewhere. */
export function checkSite(folder: string, base: string): readonly string[] {
  const files = listFiles(folder, '');
  const pages = new Map(
    files
      .filter((path) => path.endsWith('.html'))
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const),
  );
  const anchors = new Map([...pages].map(([path, html]) => [path, readAnchors(html)]));
  const deadLinks = [...pages].flatMap(([path, html]) =>
    listReferences(html)
      .filter((reference) => isDead(reference, path, { base, files: new Set(files), anchors }))
      .map((reference) => `${path} links ${reference}, which is not there`),
  );
  const fetched = [...pages].flatMap(([path, html]) =>
    listFetched(html)
      .filter(isElsewhere)
      .map((address) => `${path} fetches ${address}`),
  );
  const styles = files
    .filter((path) => path.endsWith('.css'))
    .flatMap((path) =>
      [
        ...readFileSync(join(folder, path), 'utf8').matchAll(
          /(?:url\(|@import )\s*["']?((?:https?:)?\/\/[^"')]+)/g,
        ),
      ].map(([, address]) => `${path} fetches ${address}`),
    );
  return [...new Set([...deadLinks, ...fetched, ...styles])];
}

interface Built {
  readonly base: string;
  readonly files: ReadonlySet<string>;
  readonly anchors: ReadonlyMap<string, ReadonlySet<string>>;
}

function isDead(reference: string, path: string, { base, files, anchors }: Built): boolean {
  if (isElsewhere(reference) || reference.startsWith('data:')) return false;
  const { pathname, hash } = new URL(reference, `http://site${base}${path}`);
  if (!pathname.startsWith(base)) return true;
  const place = decodeURI(pathname.slice(base.length));
  const file = [place, `${place}.html`, `${place}index.html`].find((candidate) => files.has(candidate));
  if (file === undefined) return true;
  const anchor = decodeURIComponent(hash.slice(1));
  return anchor !== '' && file.endsWith('.html') && anchors.get(file)?.has(anchor) !== true;
}

/** Addresses with a scheme or a host of their own. */
function isElsewhere(reference: string): boolean {
  return /^(?:[a-z][a-z+.-]*:|\/\/)/i.test(reference) && !reference.startsWith('data:');
}

function listFiles(root: string, folder: string): readonly string[] {
  if (!existsSync(join(root, folder)))
    throw new Error(`${join(root, folder)} is not there: build the site first`);
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? listFiles(root, path) : [path];
  });
}
