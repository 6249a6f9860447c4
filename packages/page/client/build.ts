import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const built = new URL('../src/assets/built.json', import.meta.url);
const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * Builds what browsers load into one JSON text, which any bundler takes along: the script with the library that it morphs with, the style, the icon.
 */
export async function buildAssets(): Promise<string> {
  const options = { bundle: true, minify: true, write: false, legalComments: 'none' } as const;
  const { outputFiles } = await build({
    ...options,
    entryPoints: [at('page.js'), at('page.css')],
    format: 'iife',
    target: 'es2022',
    outdir: 'out',
  });
  const find = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const icon = (await readFile(at('icon.svg'), 'utf8')).trim();
  return `${JSON.stringify({ script: find('.js'), style: find('.css'), icon }, null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(built, await buildAssets());
