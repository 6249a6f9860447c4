import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** One place of a program's sources that says something else. */
export interface SourceChange {
  /** From the root of the repository, with "/". */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** Names the changes of the program that this process starts, as JSON; nothing is planted without. */
export const plantVariable = 'AGENT_TEST_PLANT';

/** Root of this repository. */
export const root = new URL('../../../', import.meta.url);

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

/** Reads a file of the repository as a program gets it in which this is planted. @throws as `changeSource` */
export async function readPlantedSource(change: SourceChange): Promise<string> {
  return changeSource(await readFile(new URL(change.file, root), 'utf8'), change);
}

/** Says a place of a source otherwise. @throws where the place is gone, or is not the only one: the plant has to be made anew */
export function changeSource(source: string, { file, find, replace }: SourceChange): string {
  const times = source.split(find).length - 1;
  if (times !== 1) throw new Error(`A plant's place stands ${times} times in ${file}, not once: ${find}`);
  return source.replace(find, () => replace);
}
