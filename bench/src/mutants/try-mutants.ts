import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { listTestsOf, mapImporters, readSources, root } from './areas.ts';
import { applyMutant, type Mutant } from './list-mutants.ts';

/** What the unit tests said of one mutant. */
export interface Verdict {
  readonly index: number;
  /** `missed`: all passed. `untested`: there is none that reaches it. */
  readonly outcome: 'killed' | 'missed' | 'untested';
}

/** Tests that run at once: the nearest ones first, for those that fail there need no others. */
const NEAREST = 6;

/**
 * A process of its own: gets mutants by a message, runs the tests that reach each, and tells its verdict. The mutants are
 * put into what Vite serves; no file is written.
 */
process.once('message', (mutants: readonly (Mutant & { readonly index: number })[]) => {
  void tryMutants(mutants).then(() => process.exit(0));
});

async function tryMutants(mutants: readonly (Mutant & { readonly index: number })[]): Promise<void> {
  const sources = readSources();
  const importers = mapImporters(sources);
  let current: Mutant | null = null;
  const plugin = {
    name: 'mutant',
    enforce: 'pre' as const,
    transform: (code: string, id: string) =>
      current !== null && id === join(root, current.file) ? applyMutant(code, current) : null,
  };
  const options = {
    root,
    watch: false,
    bail: 1,
    // What was transformed before would be served in place of the mutant.
    fsModuleCache: false,
    globalSetup: [],
    reporters: [{}],
    silent: true,
    testTimeout: 10_000,
  };
  const vitest = await createVitest('test', options, { plugins: [plugin] });
  await vitest.standalone();
  const project = vitest.getRootProject();
  const run = async (tests: readonly string[]): Promise<readonly string[]> => {
    if (tests.length === 0) return [];
    const { testModules } = await vitest.runTestSpecifications(
      tests.map((test) => project.createSpecification(join(root, test))),
    );
    return testModules
      .filter((module) => module.state() === 'failed')
      .map(({ moduleId }) => moduleId.slice(root.length));
  };
  const put = (mutant: Mutant | null, file: string): void => {
    current = mutant;
    vitest.invalidateFile(join(root, file));
  };
  /** Tests by whether they pass on the sources as they are: one that fails anyway says nothing of a mutant. */
  const sound = new Map<string, boolean>();
  const kills = async (mutant: Mutant, tests: readonly string[]): Promise<boolean> => {
    put(mutant, mutant.file);
    const failed = await run(tests.filter((test) => sound.get(test) !== false));
    put(null, mutant.file);
    for (const test of failed) {
      if ((await run([test])).length === 0) {
        sound.set(test, true);
        return true;
      }
      // What passed before fails by now without a mutant: this process is worn out, and whoever began it begins another.
      if (sound.get(test) === true) process.exit(0);
      sound.set(test, false);
    }
    // Bail may have kept the others from running.
    return failed.length > 0 && kills(mutant, tests);
  };
  for (const { index, ...mutant } of mutants) {
    process.send?.({ begins: index });
    const tests = listTestsOf(mutant.file, importers);
    const isKilled =
      (await kills(mutant, tests.slice(0, NEAREST))) || (await kills(mutant, tests.slice(NEAREST)));
    const outcome = isKilled ? 'killed' : tests.length === 0 ? 'untested' : 'missed';
    process.send?.({ index, outcome } satisfies Verdict);
  }
  await vitest.close();
}
