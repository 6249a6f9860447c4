// `npm run docs`: the site while its documents are written; `-- build`: into site/dist, checked; `-- preview`: what was built.
// DOCS_BASE is the path below which it is served, DOCS_SOURCES the address under which a forge shows files of this repository.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSite } from './build-site.ts';
import { repositoryRoot } from './list-pages.ts';
import { previewSite, serveSite } from './serve-site.ts';

const site = fileURLToPath(new URL('..', import.meta.url));
const place = {
  root: repositoryRoot,
  base: process.env.DOCS_BASE ?? '/',
  sources: process.env.DOCS_SOURCES ?? null,
};

const [command = 'serve', folder = join(site, 'dist')] = process.argv.slice(2);
if (command === 'build') process.exitCode = await buildSite(site, { ...place, folder });
else if (command === 'serve') await serveSite(site, place);
else if (command === 'preview') await previewSite(site);
else {
  console.error('npm run docs -- [serve | build [FOLDER] | preview]');
  process.exitCode = 2;
}
