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
  const fails = async (tests: readonly string[]): Promise<boolean> => {
    if (tests.length === 0) return false;
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
      tests.map((test) => project.createSpecification(join(root, test))),
    );
    return unhandledErrors.length > 0 || testModules.some((module) => !module.ok());
  };
  for (const { index, ...mutant } of mutants) {
    process.send?.({ begins: index });
    const tests = listTestsOf(mutant.file, importers);
    current = mutant;
    vitest.invalidateFile(join(root, mutant.file));
    const isKilled = (await fails(tests.slice(0, NEAREST))) || (await fails(tests.slice(NEAREST)));
    vitest.invalidateFile(join(root, mutant.file));
    const outcome = isKilled ? 'killed' : tests.length === 0 ? 'untested' : 'missed';
    process.send?.({ index, outcome } satisfies Verdict);
  }
  await vitest.close();
}
