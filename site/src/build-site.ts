import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vitepress';
import { checkSite } from './check-site.ts';
import { type SitePlace, stageSite } from './stage-site.ts';

/** Builds the site into a folder, checks it, and says how long that took and how large it is. Returns an exit code. */
export async function buildSite(
  site: string,
  { folder, ...place }: SitePlace & { readonly folder: string },
): Promise<number> {
  const started = performance.now();
  stageSite(join(site, '.pages'), place);
  await build(site, { outDir: folder, base: place.base });
  const problems = checkSite(folder, place.base);
  for (const problem of problems) console.error(problem);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  const pages = files.filter(({ name }) => name.endsWith('.html')).length;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${pages} pages, ${(bytes / 1e6).toFixed(1)} MB, ${seconds} s, ${problems.length} problems`);
  return problems.length === 0 ? 0 : 1;
}
