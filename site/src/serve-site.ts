import { watch } from 'node:fs';
import { join } from 'node:path';
import { createServer, serve } from 'vitepress';
import { type SitePlace, stageSite } from './stage-site.ts';

/** Serves the site while its documents are written: what is saved is shown. */
export async function serveSite(site: string, place: SitePlace): Promise<void> {
  const folder = join(site, '.pages');
  stageSite(folder, place);
  const server = await createServer(site, { host: '127.0.0.1' });
  await server.listen();
  server.printUrls();
  for (const documents of ['docs', 'packages', 'apps', 'examples'])
    watch(join(place.root, documents), { recursive: true }, (_, name) => {
      if (name?.endsWith('.md') === true) stageSite(folder, place);
    });
}

/** Serves what was built. */
export async function previewSite(site: string): Promise<void> {
  await serve({ root: site, port: 4173 });
}
