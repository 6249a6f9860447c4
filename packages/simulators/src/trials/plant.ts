import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One place of our sources that says something else. */
export interface SourceChange {
  /** Stands exactly once in the sources of all packages and apps, in whichever file. */
  readonly find: string;
  readonly replace: string;
}

/** Names the changes of the program that this process starts, as JSON; nothing is planted without. */
export const plantVariable = 'AGENT_TEST_PLANT';

/** What is planted in what this process loads and starts. */
export function readPlanted(): readonly SourceChange[] {
  return JSON.parse(process.env[plantVariable] ?? '[]') as readonly SourceChange[];
}

/** The text of a file, as it is with the changes that have their place there. */
export function plantIn(
  source: string,
  { path, changes }: { readonly path: string; readonly changes: readonly SourceChange[] },
): string {
  if (path.includes('/node_modules/') || !path.includes('/src/')) return source;
  return changes.reduce((text, { find, replace }) => text.replace(find, () => replace), source);
}

const preload = fileURLToPath(new URL('./plant-preload.ts', import.meta.url));

/** What a program that runs from its sources is started with, so that it has what is planted; null where nothing is. */
export function findPlanted(): {
  readonly nodeArguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
} | null {
  const { [plantVariable]: planted } = process.env;
  return planted === undefined
    ? null
    : {
        nodeArguments: ['--import', preload],
        // What was compiled of the same file without the plant must not take its place.
        environment: { [plantVariable]: planted, NODE_DISABLE_COMPILE_CACHE: '1' },
      };
}

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const isSource = (path: string): boolean => /[\\/]src[\\/].*(?<!\.test)\.ts$/.test(path);

/**
 * Finds the place of each change.
 * @throws where one is gone, or is not the only one: the plant has to be made anew
 */
export async function requirePlaces(changes: readonly SourceChange[]): Promise<void> {
  sources ??= readSources();
  const texts = await sources;
  for (const { find } of changes) {
    const times = texts.reduce((count, text) => count + text.split(find).length - 1, 0);
    if (times !== 1)
      throw new Error(`This text occurs ${times} times in the sources instead of once: ${find}`);
  }
}

/** Read once: dozens of plants look for their places. */
let sources: Promise<readonly string[]> | null = null;

async function readSources(): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const folder of ['packages', 'apps']) {
    for (const name of await readdir(join(root, folder))) {
      if (name === 'simulators') continue;
      const paths = await readdir(join(root, folder, name, 'src'), { recursive: true });
      for (const path of paths.map((one) => join(root, folder, name, 'src', one)).filter(isSource))
        texts.push(await readFile(path, 'utf8'));
    }
  }
  return texts;
}
